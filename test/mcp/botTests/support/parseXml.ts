import assert from 'node:assert/strict';
import sax from 'sax';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Parses a whole XML document; fails if it isn't well-formed. */
export function parseXml(xml: string): XmlElement {
  // The parser doesn't check this.
  assert.doesNotMatch(xml, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const parser = sax.parser(true);
  const open: XmlElement[] = [{ name: '', attributes: {}, children: [], text: '' }];
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  parser.ontext = (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.onclosetag = () => void open.pop();
  parser.write(xml).close();
  return open[0]?.children[0] ?? assert.fail('The document is empty.');
}
