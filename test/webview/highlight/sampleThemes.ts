import type { CodeTheme } from '../../../src/shared/view/codeTheme';

/** Theme rules of every kind: nested scopes, font styles, parents, one reset. */
export const sampleTheme: CodeTheme = [
  { scope: ['comment'], foreground: '#006400', fontStyle: 'italic' },
  { scope: ['storage', 'keyword'], foreground: '#0000c8', fontStyle: 'bold' },
  { scope: ['keyword.operator'], foreground: '#323232', fontStyle: '' },
  { scope: ['string'], foreground: '#a31515' },
  { scope: ['meta.template.expression'], foreground: '#505050' },
  { scope: ['entity.name.type', 'entity.name.tag', 'support.type'], foreground: '#640064' },
  { scope: ['entity.name.function', 'support.function'], foreground: '#646400' },
  { scope: ['variable'], foreground: '#010203' },
  { scope: ['variable.parameter'], foreground: '#040506', fontStyle: 'italic underline' },
  { scope: ['meta.class variable.object.property'], foreground: '#010203' },
  { scope: ['constant.numeric'], foreground: '#098658' },
  { scope: ['punctuation.definition.string'], foreground: '#ff0000' },
];

export const lightTheme: CodeTheme = [
  { scope: ['comment'], foreground: '#090909' },
  { scope: ['storage', 'keyword'], foreground: '#c80000' },
  { scope: ['keyword.operator'], foreground: '#323232' },
  { scope: ['string'], foreground: '#008800' },
  { scope: ['meta.template.expression'], foreground: '#515151' },
  { scope: ['entity.name.type'], foreground: '#550055' },
  { scope: ['entity.name.function'], foreground: '#555500' },
  { scope: ['variable'], foreground: '#030201' },
  { scope: ['variable.parameter'], foreground: '#060504' },
  { scope: ['constant.numeric'], foreground: '#088888' },
  { scope: ['punctuation.definition.string'], foreground: '#ee0000' },
];
