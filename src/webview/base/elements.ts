import { createIcon } from './icons';

export function createElement(tag: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  if (text !== '') element.textContent = text;
  return element;
}

/** Creates a button with an icon; `name` is its label and its tooltip. */
export function createButton(icon: string, name: string, onClick: () => void, extra = ''): HTMLElement {
  const button = createElement('button', `icon-button ${extra}`.trim());
  button.setAttribute('type', 'button');
  setIcon(button, icon, name);
  button.addEventListener('click', onClick);
  return button;
}

export function setIcon(button: HTMLElement, icon: string, name: string): void {
  button.replaceChildren(createIcon(icon));
  button.setAttribute('aria-label', name);
  button.title = name;
}

/** Adds a style sheet that isn't part of the page's own, which every start loads. */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
