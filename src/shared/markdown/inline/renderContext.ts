import type { MarkdownHooks } from '../base/hooks';
import type { MarkdownDocument } from '../base/markdownNodes';
import type { References } from './references';

/** Context shared by the blocks of one text. */
export interface RenderContext {
  readonly document: MarkdownDocument;
  readonly references: References;
  readonly hooks: MarkdownHooks;
}
