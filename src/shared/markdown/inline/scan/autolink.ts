import { matchAt, type Scanned } from './linkScan';

/** A link written without markup: its end and its destination. */
export type Autolink = Scanned<string>;

// Host names are limited, as in PLAIN: a repeated alternative over several MB overflows the stack.
const URL_START = /(?:[hH][tT]{2}[pP][sS]?|[fF][tT][pP]):\/\/(?=[^\s!-/:-@[-`{-~\p{P}])/uy;
const DOMAIN = /(?:[^\s!-,/:-@[-^`{-~\p{P}]|[-._]){0,1000}/uy;
const PATH = /[^\s<]*/y;
const ANGLE_URI = /<([A-Za-z][A-Za-z0-9.+-]{1,31}:[^<> \p{Cc}]*)>/uy;
const ANGLE_EMAIL =
  /<([\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?){0,1000})>/iy;
const EMAIL_HOST = /(?:[a-z0-9_-]|\.(?=[a-z0-9])){0,1000}/iy;
const XMPP_HOST = /(?:[a-z0-9_/-]|\.(?=[a-z0-9])){0,1000}/iy;

/** Scans `<https://…>` or `<name@host>`. */
export function scanAngleAutolink(text: string, position: number): (Autolink & { text: string }) | undefined {
  const uri = matchAt(ANGLE_URI, text, position);
  const match = uri ?? matchAt(ANGLE_EMAIL, text, position);
  if (!match) return undefined;
  const value = match[1] ?? '';
  return { text: value, value: uri ? value : `mailto:${value}`, end: position + match[0].length };
}

/** Scans `https://…` from its first letter. */
export function scanUrl(text: string, position: number): Autolink | undefined {
  const scheme = matchAt(URL_START, text, position)?.[0];
  if (scheme === undefined || !isDomain(text, position + scheme.length, 1)) return undefined;
  const end = findLinkEnd(text, position);
  return { value: text.slice(position, end), end };
}

/** Scans `www.…` after a space or the start of markup. */
export function scanWww(text: string, position: number): Autolink | undefined {
  if (!text.startsWith('www.', position) || !/^[\s*_~(]?$/.test(text.charAt(position - 1))) return undefined;
  if (!isDomain(text, position, 2)) return undefined;
  const end = findLinkEnd(text, position);
  return { value: `http://${text.slice(position, end)}`, end };
}

/** Finds all email addresses in a text, in order. */
export function* findEmails(text: string): Generator<Autolink & { start: number }> {
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', from)) {
    const start = findEmailStart(text, from, at);
    const protocol = /^(?:mailto|xmpp):/.exec(text.slice(start, start + 7))?.[0];
    const host = matchAt(protocol === 'xmpp:' ? XMPP_HOST : EMAIL_HOST, text, at + 1)?.[0] ?? '';
    from = at + 1;
    if (start === at || !host.includes('.') || !/[a-z]$/i.test(host) || text[at + 1 + host.length] === '@')
      continue;
    from += host.length;
    const address = text.slice(start, from);
    yield { start, end: from, value: protocol ? address : `mailto:${address}` };
  }
}

function findEmailStart(text: string, from: number, at: number): number {
  let start = at;
  while (start > from) {
    if (/[a-z0-9.+_-]/i.test(text.charAt(start - 1))) start--;
    else if (/(?<![A-Za-z0-9])(?:mailto|xmpp):$/.test(text.slice(Math.max(from, start - 8), start))) start--;
    else break;
  }
  return start;
}

/** The last two labels of a domain contain no underscore, except for one at the end of the text. */
function isDomain(text: string, position: number, labels: number): boolean {
  const domain = matchAt(DOMAIN, text, position)?.[0] ?? '';
  const names = domain.split('.');
  if (names.length < labels || names[labels - 1] === '') return false;
  const last = names.slice(-2).join('');
  return !(position + domain.length === text.length ? last.slice(0, -1) : last).includes('_');
}

/** Returns the end of a link: punctuation after it and parentheses around it aren't part of it. */
function findLinkEnd(text: string, position: number): number {
  const link = matchAt(PATH, text, position)?.[0] ?? '';
  let unclosed = link.split('(').length - link.split(')').length;
  let end = link.length;
  for (; end > 0; end--) {
    const last = link.charAt(end - 1);
    if (last === ')' && unclosed < 0) unclosed++;
    else if (last === ';')
      end -= /&[a-z]+$/i.exec(link.slice(Math.max(0, end - 33), end - 1))?.[0].length ?? 0;
    else if (!'?!.,:*_~\'"'.includes(last)) break;
  }
  return position + end;
}
