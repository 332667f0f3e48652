/** Something that a message can mention. It becomes a chip, or a document if it doesn't fit into the message. */
export interface MentionView {
  /** Known to the host until the page opens the list again. */
  readonly id: string;
  readonly kind:
    | 'editor'
    | 'selection'
    | 'problems'
    | 'diff'
    | 'terminal'
    | 'document'
    | 'file'
    | 'folder'
    | 'symbol';
  readonly name: string;
  /** Its location, such as a folder. */
  readonly description?: string;
  /** Length of its chip in code points, once known. */
  readonly characters?: number;
  /** It can't become a chip, such as a folder or an image. */
  readonly uploads?: true;
}
