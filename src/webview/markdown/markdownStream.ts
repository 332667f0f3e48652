import './blocks.css';
import type { MarkdownHooks } from '../../shared/markdown/base/hooks';
import { MarkdownRenderer } from '../../shared/markdown/markdownRenderer';
import { t } from '../base/l10n';
import { showPicture } from './picture';

/** What the page adds to the blocks of a text. */
export type PageHooks = MarkdownHooks<HTMLElement, Text>;

const shownEverywhere: PageHooks = {
  picture: (image, source, target) => showPicture(image, source, target),
  checkbox: (checkbox, checked) => checkbox.setAttribute('aria-label', checked ? t('Done') : t('To do')),
};

/** Streams CommonMark and GFM into an element of the page. */
export class MarkdownStream extends MarkdownRenderer {
  constructor(container: HTMLElement, hooks: PageHooks = {}) {
    super(document, container, { ...shownEverywhere, ...hooks });
  }
}

/** Renders a complete text, replacing the container's content. */
export function renderMarkdown(container: HTMLElement, text: string, hooks: PageHooks = {}): void {
  container.replaceChildren();
  const stream = new MarkdownStream(container, hooks);
  stream.appendMarkdown(text);
  stream.end();
}
