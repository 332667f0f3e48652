import assert from 'node:assert/strict';
import { readQuestion } from '../../../src/chat/earlierAnswers/question';
import { QuestionIndex } from '../../../src/chat/earlierAnswers/questionIndex';
import pairs from './questionPairs.json';

/** Two questions, and whether the answer to one answers the other, as a user sees it. */
interface Pair {
  readonly language: string;
  readonly same: boolean;
  readonly earlier: string;
  readonly draft: string;
  /** The same question in several languages: its answer is right in each. */
  readonly topic?: string;
}

const parts: Readonly<Record<string, readonly Pair[]>> = pairs;
const all = Object.values(parts).flat();
/** The share of what is shown that must be right, and of what could be shown that was found when this was written. */
const MIN_PRECISION = 0.95;
const MIN_RECALL = 0.7;

function isAnswered(pair: Pair, found: Pair): boolean {
  return found === pair || (pair.topic !== undefined && found.topic === pair.topic);
}

/** Searches all earlier questions of all pairs for a draft. */
function createSearch(): (draft: string) => Pair | undefined {
  const index = new QuestionIndex<Pair>();
  for (const pair of all) {
    const question = readQuestion(pair.earlier);
    if (question) index.addQuestion(pair, pair.earlier, question);
  }
  return (draft) => {
    const question = readQuestion(draft);
    const found = question ? index.findQuestions(question) : [];
    return found.toSorted((a, b) => b.share - a.share)[0]?.entry;
  };
}

describe('Questions that mean the same', () => {
  const find = createSearch();

  it('are 100 pairs, beside 100 that are different, in six languages', () => {
    const count = (same: boolean) => all.filter((pair) => pair.same === same).length;
    assert.deepEqual([count(true), count(false)], [100, 100]);
    assert.deepEqual([...new Set(all.map(({ language }) => language))], ['en', 'de', 'fr', 'es', 'ja', 'zh']);
    assert.equal(new Set(all.map(({ earlier }) => earlier)).size, all.length);
  });

  // The rules and the word lists were made with the pairs of `development` only.
  for (const [name, part] of Object.entries(parts)) {
    it(`are found among 200, and at least 95 % of what is shown is right: ${name}`, () => {
      const shown = part.flatMap((pair) => {
        const found = find(pair.draft);
        return found ? { pair, found, isRight: pair.same && isAnswered(pair, found) } : [];
      });
      const right = shown.filter(({ isRight }) => isRight).length;
      const [precision, recall] = [right / shown.length, right / part.filter(({ same }) => same).length];
      const wrong = shown
        .filter(({ isRight }) => !isRight)
        .map(({ pair, found }) => [pair.draft, found.earlier]);
      const report = `${right} of ${shown.length} right, recall ${recall}: ${JSON.stringify(wrong)}`;
      assert.ok(precision >= MIN_PRECISION, report);
      assert.ok(recall >= MIN_RECALL, report);
    });
  }
});
