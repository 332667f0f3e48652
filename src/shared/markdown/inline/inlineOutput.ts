import { InlineNode } from './inlineNode';
import { encodeUri } from './scan/linkScan';

/** The nodes parsed from the text of one block. The methods return the position where parsing continues. */
export class InlineOutput {
  readonly root = new InlineNode('text');
  readonly text: string;
  /** End of the text that is parsed. */
  readonly end: number;
  /** Something other than spaces at the end isn't shown yet. */
  hidesEnd: boolean;

  constructor(text: string, end: number, hidesEnd: boolean) {
    this.text = text;
    this.end = end;
    this.hidesEnd = hidesEnd;
  }

  addNode(node: InlineNode, end: number): number {
    this.root.appendNode(node);
    return end;
  }

  addLiteral(position: number, length = 1): number {
    const end = position + length;
    return this.addNode(new InlineNode('text', this.text.substring(position, end)), end);
  }

  addAutolink(text: string, destination: string, end: number): number {
    const link = new InlineNode('link');
    link.destination = encodeUri(destination);
    link.appendNode(new InlineNode('text', text));
    return this.addNode(link, end);
  }

  showRest(position: number): number {
    this.root.appendNode(new InlineNode('text', this.text.slice(position, this.end)));
    return this.hideRest();
  }

  hideRest(): number {
    this.hidesEnd = true;
    return this.text.length;
  }
}
