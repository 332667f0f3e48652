import { foldText } from '../../shared/text/searchText';
import { isSeparablePrefix, stemWord } from './stem';
import {
  ADDRESSEES,
  AUXILIARIES,
  AWAY,
  DUTIES,
  EXACT_WORDS,
  FUNCTION_WORDS,
  INTERROGATIVE_OF,
  type Interrogative,
  NEGATIONS,
  QUANTITIES,
  SYNONYM_OF,
  TOWARDS,
  WEAK_WORDS,
} from './wordLists';

/** What a question is about, and how it asks. */
export interface Question {
  /** How much each word of the topic weighs, by its stem. */
  readonly terms: ReadonlyMap<string, number>;
  /** Terms with digits, and others that two questions must share. */
  readonly exact: ReadonlySet<string>;
  readonly isNegated: boolean;
  readonly asks: Interrogative;
  /** Whether it asks by yes or no for a duty. */
  readonly asksForDuty: boolean;
  /** Terms after a word like `to` or `from`. */
  readonly targets: ReadonlySet<string>;
  readonly sources: ReadonlySet<string>;
}

const STRONG = 1;
const WEAK = 0.25;
/** Shorter questions mean something else in every conversation. */
const MIN_WORDS = 4;
/** Longer ones have a text in them, and aren’t asked again. */
const MAX_WORDS = 100;
/** In UTF-16 code units: a message of 2000 characters at most. */
const MAX_LENGTH = 4000;
/** In UTF-16 code units: of a longer word, the start and the length count. */
const MAX_WORD_LENGTH = 60;

/** The scripts without spaces between words. */
const UNSPACED_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々`;
const LETTER = String.raw`(?![${UNSPACED_SCRIPTS}])[\p{L}\p{M}\p{N}_]`;
/** Numbers with their separators, text without spaces, and words. */
const WORDS = new RegExp(
  String.raw`\d+(?:[.,]\d+)*(?!${LETTER})|[${UNSPACED_SCRIPTS}]+|(?:${LETTER})+`,
  'gu',
);
const UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}]`, 'u');
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u;
/** What only its conversation, its workspace or its day tells: the answer to it was about something else. */
const POINTS_ELSEWHERE =
  /(?<!\p{L})(?:this|these|the above|above(?=[\s?.!]*$)|here|today|tomorrow|yesterday|dies|diese[rsnm]?|oben|hier|heute|morgen|gestern|cet|cette|ces|ceci|cela|ça|ci-dessus|aujourd|demain|hier|este|esta|esto|estos|estas|ese|esa|eso|aquí|hoy|mañana|ayer)(?!\p{L})|[这那]|今天|明天|昨天|今日|明日|昨日|これ|それ|この|その|上記/iu;
const NEGATED_JAPANESE = /ません|ない|なかった|ずに/;
const IDENTIFIER = /[\p{Ll}\p{N}]\p{Lu}|[^_]_[^_]/u;
const IDENTIFIER_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{N}]+|[\p{Lo}\p{M}]+/gu;

let segmenter: Intl.Segmenter | undefined;

interface Word {
  /** Folded. */
  readonly text: string;
  /** Whether it is a part of an identifier, where every word counts. */
  readonly isCode: boolean;
}

/**
 * Reads a question; undefined if it is too short or too long to be asked again, or can’t be understood alone. Takes time linear in its
 * length.
 */
export function readQuestion(text: string): Question | undefined {
  if (text.length > MAX_LENGTH || POINTS_ELSEWHERE.test(text)) return undefined;
  const words = readWords(text);
  if (words.length < MIN_WORDS || words.length > MAX_WORDS) return undefined;
  joinSeparatedVerb(words);
  const terms = new Map<string, number>();
  const exact = new Set<string>();
  const targets = new Set<string>();
  const sources = new Set<string>();
  let isNegated = NEGATED_JAPANESE.test(text);
  /** What the last preposition leads to. */
  let role: Set<string> | undefined;
  for (const { text: word, isCode } of words) {
    if (!isCode && NEGATIONS.has(word)) isNegated = true;
    if (!isCode && (FUNCTION_WORDS.has(word) || NEGATIONS.has(word) || HIRAGANA.test(word))) {
      if (TOWARDS.has(word)) role = targets;
      else if (AWAY.has(word)) role = sources;
      continue;
    }
    const term = stemWord(SYNONYM_OF.get(word) ?? word);
    const isWeak = !isCode && (WEAK_WORDS.has(word) || /^[a-z]$/.test(word));
    terms.set(term, Math.max(terms.get(term) ?? 0, isWeak ? WEAK : STRONG));
    if (/\d/.test(word) || EXACT_WORDS.has(word)) exact.add(term);
    role?.add(term);
    role = undefined;
  }
  const plain = words.map((word) => word.text);
  const asks = findInterrogative(plain);
  return { terms, exact, isNegated, asks, asksForDuty: isDutyAsked(plain), targets, sources };
}

/** Returns whether a text has as many words as a question needs to be searched for. */
export function hasEnoughWords(text: string): boolean {
  return text.length <= MAX_LENGTH && readWords(text).length >= MIN_WORDS;
}

function readWords(text: string): Word[] {
  const words: Word[] = [];
  const plain = text
    .replace(/(?<!\p{L})à(?!\p{L})/giu, 'vers')
    .replace(/n[’']t\b/gi, ' not')
    .replace(/\b(back|set|log|sign|clean|roll) (up|in|out|on|back)\b/gi, '$1$2')
    .replace(/\b(\p{L}{1,4})-(\p{L}{1,4})\b/gu, (pair, one: string, other: string) =>
      [one, other].some((part) => FUNCTION_WORDS.has(foldText(part))) ? pair : one + other,
    );
  for (const [match] of plain.matchAll(WORDS)) {
    if (words.length > MAX_WORDS) break;
    if (UNSPACED.test(match)) addUnspaced(match, words);
    else if (IDENTIFIER.test(match)) {
      for (const [part] of match.matchAll(IDENTIFIER_PARTS)) words.push({ text: fold(part), isCode: true });
    } else words.push({ text: fold(match), isCode: false });
  }
  return words;
}

/** Japanese and Chinese have no spaces between words. */
function addUnspaced(text: string, words: Word[]): void {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  for (const { segment } of segmenter.segment(text)) {
    if (words.length > MAX_WORDS) return;
    words.push({ text: segment, isCode: false });
  }
}

function fold(word: string): string {
  const short = word.length > MAX_WORD_LENGTH ? `${word.slice(0, MAX_WORD_LENGTH)}${word.length}` : word;
  const folded = foldText(short).replaceAll('ß', 'ss');
  // A separator of thousands.
  return /^\d/.test(folded) ? folded.replace(/[.,](?=\d{3}(?:\D|$))/g, '').replaceAll(',', '.') : folded;
}

/** German: `Wie richte ich … ein` has the verb `einrichten`. */
function joinSeparatedVerb(words: Word[]): void {
  const last = words.at(-1)?.text ?? '';
  const at = QUANTITIES.has(words[1]?.text ?? '') ? 2 : 1;
  const verb = words[at];
  if (!verb || last === 'neu' || !isSeparablePrefix(last) || !INTERROGATIVE_OF.has(words[0]?.text ?? ''))
    return;
  if (FUNCTION_WORDS.has(verb.text)) return;
  words.splice(at, 1, { text: last + verb.text, isCode: false });
  words.pop();
}

function findInterrogative(words: readonly string[]): Interrogative {
  const [first = '', second = ''] = words;
  const at = words.findIndex((word) => INTERROGATIVE_OF.has(word));
  const found = INTERROGATIVE_OF.get(words[at] ?? '');
  const next = words[at + 1] ?? '';
  // `por qué` and `porque`.
  if (found === 'what' && words[at - 1] === 'por') return 'reason';
  if (found === 'how' && QUANTITIES.has(next)) return 'quantity';
  if (AUXILIARIES.has(first) && (at < 0 || at > 3)) {
    return ADDRESSEES.has(second) || found === 'how' ? (found ?? 'none') : 'polar';
  }
  return found ?? 'none';
}

function isDutyAsked(words: readonly string[]): boolean {
  return AUXILIARIES.has(words[0] ?? '') && words.slice(0, 4).some((word) => DUTIES.has(word));
}
