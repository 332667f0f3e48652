import type { Contender } from './run';

/**
 * The minimal work of any renderer: puts the text into the page, with a text node per paragraph, in sections
 * like Parley's.
 */
export const plainText: Contender = (container) => {
  let section: HTMLElement | undefined;
  let paragraph: Text | undefined;
  /** Line breaks that may end the paragraph. */
  let held = '';
  return {
    appendMarkdown(chunk) {
      const text = held + chunk;
      held = /\n*$/.exec(text)?.[0] ?? '';
      for (const [index, part] of text
        .slice(0, text.length - held.length)
        .split('\n\n')
        .entries()) {
        if (index > 0) paragraph = undefined;
        if (!paragraph) {
          if (!section || section.childElementCount >= 24) {
            section?.classList.add('md-closed');
            section = document.createElement('div');
            section.className = 'md-section';
            container.append(section);
          }
          const element = document.createElement('p');
          paragraph = document.createTextNode('');
          element.append(paragraph);
          section.append(element);
        }
        paragraph.appendData(part);
      }
    },
    end() {
      // All text is already shown.
    },
  };
};
