import type * as vscode from 'vscode';
import type { MentionView } from '../../shared/conversation/mention';
import type { ContextChip } from '../../shared/conversation/message';

/** Something that a message can mention. */
export interface Mention extends Pick<MentionView, 'kind' | 'name' | 'description'> {
  /** Identifies it among the mentions of its kind. */
  readonly key: string;
  /** The file or folder that its content is from. A file is inspected as for an upload before its content is used. */
  readonly uri?: vscode.Uri;
  readonly content: MentionContent;
  /**
   * Returns the length of its chip in code points; undefined if it can't become a chip. Absent if that is only known
   * when it is used.
   */
  readonly measure?: () => Promise<number | undefined>;
}

export type MentionContent =
  /** The whole file or folder at `uri`. */
  | { readonly type: 'whole' }
  /** Lines of the file at `uri`, for a chip that is named after the symbol. */
  | { readonly type: 'lines'; readonly symbol: string; readonly findRange: () => Promise<vscode.Range> }
  /** A chip, or a message that says why there is none. */
  | { readonly type: 'chip'; readonly create: () => Promise<ContextChip | string> };
