import { extname } from 'node:path';

/**
 * How answers show a value, where services differ. A profile names a line of each table; the next habit of a
 * service is another line. `shapes.ts` applies them.
 */

/** How a time is sent, from Unix seconds. */
export const timeStyles = {
  seconds: (seconds: number) => seconds,
  text: (seconds: number) => String(seconds),
  milliseconds: (seconds: number) => seconds * 1000,
  iso: (seconds: number) => new Date(seconds * 1000).toISOString(),
} as const;

/** How a boolean is sent. */
export const flagStyles = {
  boolean: (flag: boolean) => flag,
  number: (flag: boolean) => (flag ? 1 : 0),
  text: (flag: boolean) => String(flag),
} as const;

/** The name under which a document is listed, from the name with which it was registered. */
export const documentNameStyles = {
  asSent: (name: string) => name,
  withoutExtension: (name: string) => name.slice(0, name.length - extname(name).length),
  /** With other case and punctuation: `release-notes.md` is listed as `Release Notes.md`. */
  changed(name: string) {
    const extension = extname(name);
    const words = documentNameStyles.withoutExtension(name).split(/[^\p{L}\p{N}]+/u);
    return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') + extension;
  },
} as const;

/** Which sources of a message a list shows, and how. */
export const listedSourceStyles = {
  all: (sources: readonly object[]): object => sources,
  first: (sources: readonly object[]): object => sources.slice(0, 1),
  /** `{ "0": {…}, "1": {…} }` */
  numbered: (sources: readonly object[]): object => ({ ...sources }),
} as const;

export type TimeStyle = keyof typeof timeStyles;
export type FlagStyle = keyof typeof flagStyles;
export type DocumentNameStyle = keyof typeof documentNameStyles;
export type ListedSourceStyle = keyof typeof listedSourceStyles;
