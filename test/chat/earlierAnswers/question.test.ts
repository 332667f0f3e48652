import assert from 'node:assert/strict';
import { readQuestion } from '../../../src/chat/earlierAnswers/question';
import { QuestionIndex } from '../../../src/chat/earlierAnswers/questionIndex';
import { compareQuestions } from '../../../src/chat/earlierAnswers/sameQuestion';
import { stemWord } from '../../../src/chat/earlierAnswers/stem';

function isSame(one: string, other: string): boolean {
  const [a, b] = [readQuestion(one), readQuestion(other)];
  return a !== undefined && b !== undefined && compareQuestions(a, b) !== undefined;
}

describe('A question', () => {
  it('has at least four words, in Japanese and Chinese too', () => {
    for (const short of ['', 'reset VPN password', 'wie lange denn?', '重置密码', 'a  b\nc']) {
      assert.equal(readQuestion(short), undefined, short);
    }
    for (const long of ['please reset VPN password', 'Wie lange denn noch?', '如何重置VPN密码？'])
      assert.ok(readQuestion(long), long);
  });

  it('is not looked for if it points at something that is only in its conversation, or at a day', () => {
    for (const text of [
      'Can you explain this function in more detail?',
      'Kannst du diese Funktion genauer erklären bitte?',
      'Peux-tu expliquer cette fonction plus en détail ?',
      '¿Puedes explicar esta función con más detalle?',
      'What is on the lunch menu today?',
      'この関数を詳しく説明してください',
      '请详细解释一下这个函数',
    ]) {
      assert.equal(readQuestion(text), undefined, text);
    }
  });

  it('splits identifiers at case and underscores', () => {
    assert.ok(
      isSame('What does parseUserConfig return on errors?', 'What does parse_user_config return on errors?'),
    );
    assert.ok(!isSame('What does getUserName return on errors?', 'What does setUserName return on errors?'));
    assert.ok(!isSame('What does isValid return on errors?', 'What does hasValid return on errors?'));
  });

  it('may have a typing error in a long word, but no other number', () => {
    assert.ok(isSame('How do I reset the VPN password?', 'How do I reset the VPN pasword?'));
    assert.ok(
      !isSame('How do I install Python 3.11 on Windows?', 'How do I install Python 3.12 on Windows?'),
    );
    assert.ok(isSame('Who approves orders above 5,000 euros?', 'Who approves orders above 5000 euros?'));
  });

  it('isn’t the same if one word of many is another, or if what comes first comes last', () => {
    const long = (place: string) =>
      `How do I restart the message broker of the billing service in ${place} after a failed deployment of the gateway?`;
    assert.ok(isSame(long('production'), long('production').replace('How do I', 'How can I')));
    assert.ok(!isSame(long('production'), long('staging')));
    assert.ok(!isSame('How do I convert Markdown files to PDF?', 'How do I convert PDF to Markdown files?'));
    assert.ok(!isSame('How do I copy data from Oracle?', 'How do I copy data to Oracle?'));
    assert.ok(
      isSame('How do I migrate data from Oracle to MySQL?', 'How do I migrate data to MySQL from Oracle?'),
    );
  });

  it('of more than 100 words isn’t looked for, because it has a text in it', () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
    assert.ok(readQuestion(words(100)));
    assert.equal(readQuestion(words(101)), undefined);
    assert.equal(readQuestion('a b c d '.repeat(600)), undefined);
  });

  it('has the same stem in all forms of a word', () => {
    for (const forms of [
      ['configure', 'configured', 'configuring', 'configuration', 'configurations'],
      ['migrate', 'migrating', 'migration', 'migrieren', 'migrer'],
      ['einrichten', 'eingerichtet'],
      ['password', 'passwords'],
      ['contrato', 'contratos'],
    ]) {
      assert.equal(new Set(forms.map(stemWord)).size, 1, `${forms} ${forms.map(stemWord)}`);
    }
  });
});

describe('The search for a question', () => {
  /** The search’s worst cases: nothing in them is a question. */
  const hostile: Readonly<Record<string, string>> = {
    'one letter 2000 times': 'a'.repeat(2000),
    'words of 500 letters': Array.from({ length: 4 }, (_, index) => 'w'.repeat(495) + index).join(' '),
    'one word 500 times': 'word '.repeat(500),
    '1000 different words': Array.from({ length: 1000 }, (_, index) => index.toString(36)).join(' '),
    emoji: '👩‍👩‍👧‍👦'.repeat(180),
    'right-to-left': 'كيف يمكنني إعادة تعيين كلمة المرور '.repeat(50),
    'combining marks': `a${'\u0301'.repeat(1999)} b c d`,
    'Han without an end': '重'.repeat(2000),
    'case changes': 'aB'.repeat(1000),
    underscores: '_'.repeat(2000),
    apostrophes: "n't".repeat(666),
    digits: '1.'.repeat(1000),
    hyphens: 'a-'.repeat(1000),
  };

  for (const [name, text] of Object.entries(hostile)) {
    it(`reads at most 101 words of a hostile question: ${name}`, () => {
      const question = readQuestion(text);
      const terms = [...(question?.terms.keys() ?? [])];
      assert.ok(terms.length <= 101, `${terms.length}`);
      assert.ok(
        terms.every((term) => term.length <= 70),
        `${terms}`,
      );
    });
  }

  it('looks at no more occurrences than there are questions, and compares at most 50, whatever is asked', () => {
    const index = new QuestionIndex<{ readonly at: number }>();
    const texts = Array.from(
      { length: 5000 },
      (_, at) => `How do I configure proxy server number${at % 50} for docker?`,
    );
    for (const [at, text] of texts.entries())
      index.addQuestion({ at }, text, readQuestion(text) ?? assert.fail());
    for (const text of [
      texts[0] ?? '',
      'How do I configure the proxy server for docker?',
      ...Object.values(hostile),
    ]) {
      const question = readQuestion(text);
      if (!question) continue;
      index.findQuestions(question);
      const { occurrences, compared } = index.lastWork;
      assert.ok(occurrences <= 5000 && compared <= 50, `${text.slice(0, 50)}: ${occurrences}, ${compared}`);
    }
    index.findQuestions(readQuestion(texts[7] ?? '') ?? assert.fail());
    assert.ok(index.lastWork.compared > 0);
  });

  it('forgets what was removed', () => {
    const index = new QuestionIndex<object>();
    const text = 'How do I reset the VPN password?';
    const question = readQuestion(text) ?? assert.fail();
    const [one, other] = [{}, {}];
    index.addQuestion(one, text, question);
    index.addQuestion(other, text, question);
    index.removeQuestion(one);
    assert.deepEqual(
      index.findQuestions(question).map(({ entry }) => entry === other),
      [true],
    );
    assert.equal(index.lastWork.compared, 1);
    index.removeQuestion(other);
    index.removeQuestion(other);
    assert.deepEqual(index.findQuestions(question), []);
    assert.deepEqual(index.lastWork, { occurrences: 0, compared: 0 });
    assert.equal(index.size, 0);
  });
});
