/** The style sheet of an exported HTML document. It follows the system's colors on the screen, and prints in black. */
export const HTML_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
section { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
section > h2 { margin: 0 0 0.5rem; font-size: 1rem; }
header p, time, .ending { color: color-mix(in srgb, currentColor 70%, transparent); font-weight: normal; }
time { margin-inline-start: 0.5em; font-size: 0.875rem; }
.text { margin: 0; white-space: pre-wrap; }
.message .text { padding-inline-start: 1rem; border-inline-start: 3px solid currentColor; }
pre, code { font: 0.875rem/1.45 ui-monospace, Consolas, monospace; }
pre { padding: 0.75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); overflow-x: auto; }
.math { font: italic 1em/1.5 ui-serif, Cambria, Georgia, serif; white-space: pre-wrap; }
.math code { font: inherit; }
.math.display { display: block; margin-block: 0.75rem; }
pre.math { border: 0; }
details { margin-block: 1rem; padding-inline-start: 1rem; border-inline-start: 3px solid color-mix(in srgb, currentColor 25%, transparent); }
summary { font-weight: 600; cursor: pointer; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid color-mix(in srgb, currentColor 25%, transparent); }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.6rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: start; vertical-align: top; }
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
  a[href]::after { content: " <" attr(href) ">"; font-size: 0.85em; }
}
`;
