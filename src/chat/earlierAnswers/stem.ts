/**
 * The commonest endings of English, German, French and Spanish words, longest first. Accents are folded. One list for all languages,
 * because a question is too short to tell its language: what counts is that two forms of a word get the same stem.
 */
const ENDINGS = [
  ...[
    'isierungen',
    'isierung',
    'ierungen',
    'izations',
    'amientos',
    'ization',
    'aciones',
    'amiento',
    'mientos',
  ],
  ...[
    'ierung',
    'ierten',
    'ations',
    'miento',
    'ieren',
    'ierte',
    'iere',
    'ation',
    'acion',
    'ating',
    'ungen',
    'iendo',
  ],
  ...[
    'ement',
    'mente',
    'iert',
    'ated',
    'ates',
    'ment',
    'ando',
    'ados',
    'adas',
    'idos',
    'idas',
    'ante',
    'ing',
  ],
  ...['ung', 'ate', 'ado', 'ada', 'ido', 'ida', 'ent', 'ant', 'ait', 'ees', 'ten', 'ern', 'ers', 'ons', 'ly'],
  ...['ee', 'es', 'er', 'ez', 'ed', 'en', 'em', 'te', 'st', 'al', 'ar', 'ir', 'os', 'as', 's', 'e', 'n', 't'],
  ...['a', 'o', 'i', 'x'],
];
/** Before these, three letters are enough for a stem: `using`, `days`. */
const AFTER_SHORT_STEM = new Set([
  'ation',
  'ations',
  'ating',
  'ated',
  'ates',
  'ate',
  'ing',
  'ment',
  'ung',
  's',
]);
const MAX_ENDINGS = 2;
const DOUBLED_CONSONANT = /([bcdfgkmnprtv])\1$/;
/** What German puts before a verb, and at the end of a sentence. */
const SEPARABLE = /^(?:zuruck|herunter|hinzu|hoch|fehl|auf|aus|ein|an|ab|um|vor|nach|neu|weg|bei|zu)/;

/** Reduces a folded word to what its forms have in common. */
export function stemWord(word: string): string {
  if (/\d/.test(word)) return word;
  let stem = dropParticiplePrefix(word);
  for (let dropped = 0; dropped < MAX_ENDINGS; dropped++) {
    if (stem.length > 4 && stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
    const ending = ENDINGS.find((each) => stem.endsWith(each) && canDrop(each, stem.length - each.length));
    if (ending === undefined) break;
    stem = stem.slice(0, -ending.length);
  }
  return stem.replace(DOUBLED_CONSONANT, '$1');
}

function canDrop(ending: string, length: number): boolean {
  return length >= (AFTER_SHORT_STEM.has(ending) ? 3 : 4);
}

/** German participles: `gespeichert` as `speichern`, `eingerichtet` as `einrichten`. */
function dropParticiplePrefix(word: string): string {
  if (word.length < 7 || !/(?:t|en)$/.test(word)) return word;
  if (word.startsWith('ge')) return word.slice(2);
  const [prefix = ''] = SEPARABLE.exec(word) ?? [];
  return prefix !== '' && word.startsWith('ge', prefix.length)
    ? prefix + word.slice(prefix.length + 2)
    : word;
}

/** Returns whether a folded word is what German separates from a verb. */
export function isSeparablePrefix(word: string): boolean {
  return SEPARABLE.exec(word)?.[0] === word;
}
