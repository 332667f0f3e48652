import { toXmlAttribute, toXmlText } from './reportText';

/** A question and its result, in words. */
export interface ReportedQuestion {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The headings above it. */
  readonly groups: readonly string[];
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'errored' | 'skipped';
  /** Why it didn't pass. */
  readonly messages: readonly string[];
  readonly replies: readonly string[];
  readonly seconds: number;
}

/** In UTF-16 code units: reports are read whole. */
const MAX_REPLY_LENGTH = 20_000;

/** Formats results as JUnit's XML, which build servers show: a suite for each file. */
export function formatJUnit(questions: readonly ReportedQuestion[]): string {
  const files = [...new Set(questions.map(({ file }) => file))];
  const suites = files.flatMap((file) => {
    const own = questions.filter((question) => question.file === file);
    return [
      `  <testsuite name="${toXmlAttribute(file)}" ${formatCounts(own)}>`,
      ...own.map(formatCase),
      '  </testsuite>',
    ];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Bot tests" ${formatCounts(questions)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function formatCounts(questions: readonly ReportedQuestion[]): string {
  const count = (outcome: ReportedQuestion['outcome']) =>
    questions.filter((question) => question.outcome === outcome).length;
  const seconds = questions.reduce((sum, question) => sum + question.seconds, 0);
  return `tests="${questions.length}" failures="${count('failed')}" errors="${count('errored')}" skipped="${count('skipped')}" time="${seconds.toFixed(3)}"`;
}

function formatCase({
  file,
  line,
  groups,
  title,
  outcome,
  messages,
  replies,
  seconds,
}: ReportedQuestion): string {
  const name = [...groups, title].join(' › ');
  const attributes = `name="${toXmlAttribute(name)}" classname="${toXmlAttribute(file)}" file="${toXmlAttribute(file)}" line="${line}" time="${seconds.toFixed(3)}"`;
  const tag = { passed: undefined, failed: 'failure', errored: 'error', skipped: 'skipped' }[outcome];
  const [first = ''] = messages;
  const text = toXmlText(messages.join('\n'));
  const reason =
    tag && `      <${tag} message="${toXmlAttribute(first)}">${tag === 'skipped' ? '' : text}</${tag}>`;
  const output = replies.map((reply) => reply.slice(0, MAX_REPLY_LENGTH)).join('\n\n');
  const lines = [
    `    <testcase ${attributes}>`,
    reason,
    output !== '' && `      <system-out>${toXmlText(output)}</system-out>`,
    '    </testcase>',
  ];
  return lines.filter(Boolean).join('\n');
}
