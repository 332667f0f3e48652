import type { Contender } from './run';

/**
 * What any renderer has to do at least: put the text into the page. A text node per paragraph, appended to,
 * in the sections that Parley uses.
 */
export const plainText: Contender = (container) => {
  let section: HTMLElement | undefined;
  let paragraph: Text | undefined;
  /** Line breaks that may end the paragraph. */
  let held = '';
  return {
    append(chunk) {
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
      // All text is shown.
    },
  };
};
