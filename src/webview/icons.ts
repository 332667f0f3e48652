import arrowDown from '@vscode/codicons/src/icons/arrow-down.svg';
import arrowUp from '@vscode/codicons/src/icons/arrow-up.svg';
import attach from '@vscode/codicons/src/icons/attach.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import cloud from '@vscode/codicons/src/icons/cloud.svg';
import commentDiscussion from '@vscode/codicons/src/icons/comment-discussion.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import edit from '@vscode/codicons/src/icons/edit.svg';
import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import file from '@vscode/codicons/src/icons/file.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import insert from '@vscode/codicons/src/icons/insert.svg';
import linkExternal from '@vscode/codicons/src/icons/link-external.svg';
import selection from '@vscode/codicons/src/icons/list-selection.svg';
import markdown from '@vscode/codicons/src/icons/markdown.svg';
import newFile from '@vscode/codicons/src/icons/new-file.svg';
import newLine from '@vscode/codicons/src/icons/newline.svg';
import pass from '@vscode/codicons/src/icons/pass-filled.svg';
import pin from '@vscode/codicons/src/icons/pin.svg';
import pinned from '@vscode/codicons/src/icons/pinned.svg';
import stop from '@vscode/codicons/src/icons/primitive-square.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import replace from '@vscode/codicons/src/icons/replace.svg';
import terminal from '@vscode/codicons/src/icons/terminal.svg';
import trash from '@vscode/codicons/src/icons/trash.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import wordWrap from '@vscode/codicons/src/icons/word-wrap.svg';
import { h } from 'preact';

const files = {
  arrowDown,
  arrowUp,
  attach,
  check,
  circleSlash,
  close,
  cloud,
  commentDiscussion,
  copy,
  diff,
  edit,
  markdown,
  pin,
  pinned,
  refresh,
  replace,
  stop,
  terminal,
  trash,
  wordWrap,
  ellipsis,
  error,
  file,
  history,
  info,
  insert,
  linkExternal,
  newLine,
  newFile,
  pass,
  selection,
  warning,
};

export type IconName = keyof typeof files;

const ATTRIBUTES = { class: 'icon', fill: 'currentColor', 'aria-hidden': 'true' };

/** An icon of VS Code's own set. */
export function Icon({ name }: { readonly name: IconName }) {
  return h(Svg, { file: files[name] });
}

/** One that a script brings along which is loaded later. */
export function Svg({ file }: { readonly file: string }) {
  return h(
    'svg',
    { ...ATTRIBUTES, viewBox: viewBox(file) },
    paths(file).map((d) => h('path', { d })),
  );
}

/** The same icon for who builds the DOM by hand. */
export function iconElement(name: IconName): SVGElement {
  const svg = svgElement('svg', { ...ATTRIBUTES, viewBox: viewBox(files[name]) });
  svg.append(...paths(files[name]).map((d) => svgElement('path', { d })));
  return svg;
}

function svgElement(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function viewBox(file: string): string {
  return / viewBox="([^"]+)"/.exec(file)?.[1] ?? '0 0 16 16';
}

function paths(file: string): string[] {
  return [...file.matchAll(/ d="([^"]+)"/g)].map(([, d]) => d ?? '');
}
