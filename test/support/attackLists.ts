import naughtyStrings from 'big-list-of-naughty-strings';
import dompurifyPayloads from './attacks/dompurify-payloads.json';
import h5scVectors from './attacks/h5sc-vectors.json';

/** Public lists of attacks, by their name in test titles. Each surface for foreign text is tested with all of them. */
export const attackLists: readonly (readonly [name: string, attacks: readonly string[]])[] = [
  ['the naughty strings', naughtyStrings],
  ['DOMPurify’s payloads', dompurifyPayloads],
  ['H5SC’s vectors', h5scVectors],
];
