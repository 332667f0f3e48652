import { MESSAGE_LIMIT } from '../../shared/conversation/message';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { type FileProblem, MAX_BOT_TEST_BYTES, MAX_QUESTIONS, MAX_TIMES, type Phrase } from './botTest';
import type { Mismatch } from './judgeReply';

/** `vscode.l10n.t`, or a function that only fills in the values, where there is no VS Code. */
export type Translate = (message: string, ...values: readonly (string | number)[]) => string;

/** Fills the values into an English message. */
export const toEnglish: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (whole, index) => String(values[Number(index)] ?? whole));

/** In UTF-16 code units, of a quoted text. */
const MAX_QUOTED_LENGTH = 200;

/** Says why a part of a file isn't understood, and what to write instead. */
export function describeProblem({ code, detail = '' }: FileProblem, t: Translate): string {
  const quoted = quote(detail);
  switch (code) {
    case 'tooLarge':
      return t('The file is larger than {0} KB.', MAX_BOT_TEST_BYTES / 1024);
    case 'openFrontMatter':
      return t('End the properties at the top with a line of three hyphens.');
    case 'unknownProperty':
      return t('“{0}” isn’t a property. Use “bot: NAME” or “service: NAME”.', quoted);
    case 'noValue':
      return t('“{0}” needs a value in the same line.', quoted);
    case 'noQuestions':
      return t(
        'There is no question. Write it as a heading, such as “## What does it cost?”, and below it “- all: …”.',
      );
    case 'tooManyQuestions':
      return t('A file can have {0} questions. This one and those below aren’t asked.', MAX_QUESTIONS);
    case 'openComment':
      return t('The comment isn’t closed: add “-->”.');
    case 'openFence':
      return t('The code block isn’t closed.');
    case 'noHeading':
      return t('Write the question above this as a heading, such as “## What does it cost?”.');
    case 'emptyHeading':
      return t('Write the question as the heading.');
    case 'noExpectations':
      return t(
        'Nothing is expected of the reply. Add a list, such as “- all: …”, “- any: …”, “- none: …”, or “- sources: …”.',
      );
    case 'unknownLabel':
      return t('“{0}” isn’t an expectation. Use “all”, “any”, “none”, “sources”, or “tolerance”.', quoted);
    case 'noLabel':
      return t(
        'Begin the item with “all:”, “any:”, “none:”, “sources:”, or “tolerance:”, or indent it below one of them.',
      );
    case 'noPhrases':
      return t('Add a phrase after the colon, or indented items below.');
    case 'emptyPhrase':
      return t('There is nothing to look for.');
    case 'longPhrase':
      return t('The phrase is too long.');
    case 'tooManyPhrases':
      return t('The question has too many phrases.');
    case 'textAfterList':
      return t('Write the question’s text above the expectations, or indent this line as part of an item.');
    case 'invalidExpression':
      return t('The regular expression isn’t valid: {0}', quoted);
    case 'invalidFlags':
      return t(
        '“{0}” aren’t flags. Use i, m, s, or u. If this isn’t a regular expression, put it in quotation marks.',
        quoted,
      );
    case 'tolerance':
      return t(
        'Write the tolerance as “1 of 3”: of three replies, one may be wrong. At most {0} replies.',
        MAX_TIMES,
      );
    case 'tooLong':
      return t('The question is longer than {0} characters.', MESSAGE_LIMIT);
  }
}

/** Says what a reply lacks. */
export function describeMismatch(mismatch: Mismatch, t: Translate): string {
  switch (mismatch.code) {
    case 'missing':
      return t('The reply doesn’t contain {0}.', formatPhrase(mismatch.phrase));
    case 'unexpected':
      return t('The reply contains {0}, which it must not.', formatPhrase(mismatch.phrase));
    case 'missingAny':
      return t('The reply contains none of these: {0}.', mismatch.phrases.map(formatPhrase).join(', '));
    case 'tooSlow':
      return t('{0} took too long and was stopped.', formatPhrase(mismatch.phrase));
    case 'missingSource':
      return mismatch.sources.length === 0
        ? t('The reply isn’t based on “{0}”: it has no sources.', quote(mismatch.name))
        : t(
            'The reply isn’t based on “{0}”. Its sources: {1}.',
            quote(mismatch.name),
            mismatch.sources.map(quote).join(', '),
          );
    case 'unknownSources':
      return t('The service doesn’t say what the reply is based on.');
  }
}

function formatPhrase(phrase: Phrase): string {
  return phrase.kind === 'text' ? `“${quote(phrase.text)}”` : quote(`/${phrase.source}/${phrase.flags}`);
}

function quote(text: string): string {
  const line = escapeInvisible(text.replace(/\s+/g, ' '));
  return line.length > MAX_QUOTED_LENGTH
    ? `${line.slice(0, MAX_QUOTED_LENGTH).replace(/\p{Surrogate}$/u, '')}…`
    : line;
}
