/** The style sheet of an exported HTML document. It follows the system's colors on the screen, and prints in black. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); --fill: color-mix(in srgb, currentColor 6%, transparent); font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, h6 { margin: 1.5em 0 0.5em; font-size: 1rem; line-height: 1.3; }
header h1 { margin: 0; font-size: 1.75rem; }
div > h1 { font-size: 1.35rem; }
div > h2 { font-size: 1.2rem; }
div > h3 { font-size: 1.08rem; }
div > :first-child { margin-top: 0; }
div > :last-child { margin-bottom: 0; }
section { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
section > h2 { margin: 0 0 0.5rem; }
header p, time, .ending { color: color-mix(in srgb, currentColor 70%, transparent); font-weight: normal; }
time { margin-inline-start: 0.5em; font-size: 0.875rem; }
.text { padding: 0.6rem 1rem; border-inline-start: 3px solid #0078d4; border-radius: 4px; background: color-mix(in srgb, #0078d4 8%, transparent); }
pre, code, kbd { font: 0.875rem/1.45 ui-monospace, Consolas, monospace; }
pre { padding: 0.75rem; border: 1px solid var(--line); border-radius: 4px; background: var(--fill); overflow-x: auto; }
code { padding: 0.1em 0.3em; border-radius: 3px; background: var(--fill); }
pre code { padding: 0; background: none; }
.html { white-space: pre-wrap; }
kbd { padding: 0.1em 0.3em; border: 1px solid var(--line); border-radius: 3px; }
.math { padding: 0; background: none; font: italic 1em/1.5 ui-serif, Cambria, Georgia, serif; white-space: pre-wrap; }
.math code { font: inherit; }
.math.display { display: block; margin-block: 0.75rem; }
pre.math { border: 0; }
details { margin-block: 1rem; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); }
summary { font-weight: 600; cursor: pointer; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); }
ul, ol { padding-inline-start: 1.75rem; }
.task { list-style-type: '☐  '; }
.task.done { list-style-type: '☑  '; }
hr { margin-block: 1.5rem; border: 0; border-top: 1px solid var(--line); }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.6rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
th { background: var(--fill); }
.align-left { text-align: left; }
.align-center { text-align: center; }
.align-right { text-align: right; }
@page { margin: 18mm 16mm; }
@media print {
  :root { color-scheme: light; font-size: 11pt; }
  body { max-width: none; margin: 0; padding: 0; }
  h1, h2, h3, h4, h5, h6 { break-after: avoid; }
  p, li { orphans: 3; widows: 3; }
  pre { white-space: pre-wrap; overflow: visible; }
  tr, img { break-inside: avoid; }
  thead { display: table-header-group; }
  a { color: inherit; }
  a:not(.bare)::after { content: " <" attr(href) ">"; font-size: 0.85em; }
}
`;
