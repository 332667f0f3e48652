import * as v from 'valibot';
import type { Memento } from 'vscode';
import { MAX_FINDINGS } from '../../chat/reviews/findings';
import { REVIEWS_KEY } from '../base/names';

/** Older reviews are no longer shown after a reload. */
const MAX_REVIEWS = 20;
/** In UTF-16 code units: a longer line isn't recognized after a reload. */
const MAX_LINE_LENGTH = 500;

const stateSchema = v.picklist(['open', 'resolved', 'dismissed']);

/** What happened to a finding, and where it was found. */
const markSchema = v.object({
  state: stateSchema,
  /** The file's path in its repository, and the text of the line: later changes to the file may move it. */
  path: v.string(),
  lineText: v.exactOptional(v.string()),
});

const reviewSchema = v.object({
  conversationId: v.string(),
  /** The URI of the repository. */
  root: v.string(),
  /** The message that asked for it: a reply to another one isn't its findings. */
  question: v.string(),
  /** The names of the documents. */
  documents: v.array(v.string()),
  /** By the index of the finding in its reply. */
  marks: v.record(v.string(), markSchema),
});

export type FindingState = v.InferOutput<typeof stateSchema>;
export type FindingMark = v.InferOutput<typeof markSchema>;
export type StoredReview = v.InferOutput<typeof reviewSchema>;

/** The reviews of this workspace, so that their comments return after a reload. */
export class ReviewMemory {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  listReviews(): readonly StoredReview[] {
    const stored = this.#memento.get<unknown>(REVIEWS_KEY);
    return v.parse(v.fallback(v.array(reviewSchema), []), stored);
  }

  /** Saves a review; `replaces` are the IDs of conversations whose reviews are forgotten. */
  saveReview(review: StoredReview, replaces: readonly string[] = []): void {
    const others = this.#listOthers([review.conversationId, ...replaces]);
    this.#write([...others, { ...review, marks: shortenMarks(review.marks) }].slice(-MAX_REVIEWS));
  }

  forgetReviews(conversationIds: readonly string[]): void {
    const others = this.#listOthers(conversationIds);
    if (others.length < this.listReviews().length) this.#write(others);
  }

  #listOthers(conversationIds: readonly string[]): StoredReview[] {
    return this.listReviews().filter(({ conversationId }) => !conversationIds.includes(conversationId));
  }

  #write(reviews: readonly StoredReview[]): void {
    void this.#memento.update(REVIEWS_KEY, reviews.length === 0 ? undefined : reviews);
  }
}

function shortenMarks(marks: StoredReview['marks']): StoredReview['marks'] {
  const entries = Object.entries(marks).slice(0, MAX_FINDINGS);
  return Object.fromEntries(
    entries.map(([index, { lineText, ...mark }]) => [
      index,
      lineText === undefined || lineText.length > MAX_LINE_LENGTH ? mark : { ...mark, lineText },
    ]),
  );
}
