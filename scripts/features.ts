import { existsSync } from 'node:fs';
import path from 'node:path';

const ROOMS = ['client', 'chat', 'host', 'webview'] as const;

/** Features, by the name of their folders. Everything else is the core. */
export const FEATURES = [
  ...[
    'prompts',
    'mentions',
    'forks',
    'queue',
    'documents',
    'documentSync',
    'export',
    'find',
    'timeline',
    'diagrams',
  ],
  ...['agents', 'bots', 'setUp', 'recording', 'reviews', 'botTests', 'earlierAnswers'],
] as const;

/** Returns the head and the rows of a table with the folder of each feature in each room. */
export function createFeatureRows(root: string): [head: string[], rows: string[][]] {
  const rows = FEATURES.map((feature) => [
    feature,
    ...ROOMS.map((room) =>
      existsSync(path.join(root, 'src', room, feature)) ? `\`${room}/${feature}/\`` : '',
    ),
  ]);
  return [['feature', ...ROOMS.map((room) => `\`${room}/\``)], rows];
}
