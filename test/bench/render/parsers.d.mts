export function measureParsers(text: string): Record<string, number>;
