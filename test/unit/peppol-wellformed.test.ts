import fc from 'fast-check';
import { ParseOption, XmlDocument, XmlParseError } from 'libxml2-wasm';
import { describe, expect, it, test } from 'vitest';
import { decodeXml } from '#src/peppol/xml/decode.ts';
import { readXml } from '#src/peppol/xml/read.ts';
import type { XmlElement } from '#src/peppol/xml/tree.ts';
import { UnreadableDocument } from '#src/peppol/xml/unreadable.ts';
import { eInvoice, inEnvelope } from '../support/e-invoice.ts';
import { cleanDocument } from './peppol-invoice.ts';

/** What a reader made of a document: its contents, why it is refused, or that it does not count. */
type Verdict =
  | { readonly contents: string }
  | { readonly refused: string }
  | { readonly excluded: string };

/** Intended: few encodings are known, one declared but not used is none, empty places are no text. */
const ownEncodingRules = /kan inte läsas|inte skrivet i den|teckenkodningen windows-1252, men/;

function ours(bytes: Uint8Array): Verdict {
  try {
    return { contents: contentsOf(bytes) };
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    const { code, message } = error;
    // Intended: we refuse every DOCTYPE, and what is larger or deeper than an e-invoice ever is.
    if (code === 'XML-REFUSED' || code === 'XML-LIMIT') return { excluded: message };
    if (code === 'XML-ENCODING' && ownEncodingRules.test(message)) return { excluded: message };
    return { refused: message };
  }
}

/** What a reader of the tree finds, a line for each element; text between elements is no content. */
function contentsOf(bytes: Uint8Array): string {
  const lines = ({ name, attributes, children, text }: XmlElement): string[] => {
    const list = attributes.map((attribute) => `${attribute.name}=${attribute.value}`).sort();
    const own = children.length > 0 ? '' : text;
    return [JSON.stringify([name, own, ...list]), ...children.flatMap(lines)];
  };
  return lines(readXml(decodeXml(bytes).text).root).join('\n');
}

/** Not about being well-formed: what a namespace is called, and the values of xml:id and xml:space. */
const otherComplaints = /is not a valid URI|^xml:id|for xml:space/;
const option = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NOCDATA;
/** A warning; the document is read all the same. */
const warning = 1;

function theirs(bytes: Uint8Array): Verdict {
  // Intended: we know such UTF-16 by its first "<"; to them a declaration must stand there.
  const isBareUtf16 = /^(?:<\0[^?]|\0<\0[^?])/.test(Buffer.from(bytes).toString('latin1', 0, 4));
  if (isBareUtf16) return { excluded: 'UTF-16 without mark and declaration' };
  let document: XmlDocument;
  try {
    document = XmlDocument.fromBuffer(bytes, { option });
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error;
    const complaints = error.details
      .filter(({ level, message }) => level !== warning && !otherComplaints.test(message))
      .map(({ message }) => message.trim());
    return complaints.length === 0
      ? { excluded: error.message }
      : { refused: complaints.join('; ') };
  }
  try {
    // Intended: a version has a digit after its point (XML 1.0, 2.8); they do not mind.
    if (document.version === '1.') return { excluded: 'version 1.' };
    // Written again there is nothing to misread: UTF-8, one kind of quotes, no needless references.
    return { contents: contentsOf(Buffer.from(document.toString({ format: false }))) };
  } finally {
    document.dispose();
  }
}

type Outcome = 'excluded' | 'read' | 'refused';

/** Holds the two verdicts against each other. */
function compare(bytes: Uint8Array): Outcome {
  const our = ours(bytes);
  if ('excluded' in our) return 'excluded';
  const their = theirs(bytes);
  if ('excluded' in their) return 'excluded';
  if ('refused' in our && 'refused' in their) return 'refused';
  expect(our).toEqual(their);
  return 'read';
}

/** Clean documents, one of them with everything else that XML has. */
const documents: readonly string[] = [
  cleanDocument(1, 'Invoice'),
  cleanDocument(1, 'CreditNote'),
  eInvoice(),
  inEnvelope(eInvoice({ root: 'CreditNote' })),
  eInvoice({ number: '<![CDATA[F<&1]]>&#x41;&amp;<?pi data?><!-- å -->' }).replace(
    'currencyID="SEK"',
    ' currencyID = \'SEK\'\n xml:lang="sv" ',
  ),
  eInvoice().replace('version="1.0"', 'version="1.1"'),
];

const insertions = [
  ...['<', '>', '&', "'", '"', '=', '/', ':', ';', ']', '-', '?', '!', '#', ' ', '\n', '\r', '\t'],
  ...['a', '-a', '.', '1', '_', '·', 'å', 'Ω', '€', '名', '😀', '×', '\u00a0', '\u0085', '\u2028'],
  ...['\u0000', '\u0001', '\u000b', '\u001f', '\u007f', '\u009f', '\ufffe', '\uffff', '\ufeff'],
  ...[']]>', '<![CDATA[', '<![CDATA[]]>', "<![CDATA[ ]] > <&' ]]>", '<![cdata[x]]>', ']]]]>'],
  ...['<!--', '-->', '<!-- x -->', '<!-- -- -->', '<!--->', '<!---->', '<!-- x --->', '--'],
  ...['<?', '?>', '<?x?>', '<?x y?>', '<? x?>', '<?x:y z?>', '<?xml?>', '<?XmL x?>', '<?1 ?>'],
  ...['<?x?y?>', '<?x ??>', '<?xml-stylesheet a?>', '<?xml version="1.0"?>', '<?å?>'],
  ...['&amp;', '&lt;', '&gt;', '&apos;', '&quot;', '&nbsp;', '&AMP;', '&;', '&#;', '&#x;', '& '],
  ...['&#65;', '&#x41;', '&#X41;', '&#xe5;', '&#9;', '&#10;', '&#13;', '&#0;', '&#1;', '&#31;'],
  ...['&#x7f;', '&#x80;', '&#xd7ff;', '&#xd800;', '&#xdfff;', '&#xe000;', '&#xfffd;', '&#xfffe;'],
  ...['&#xffff;', '&#x10000;', '&#x10ffff;', '&#x110000;', '&#99999999999;', '&#-1;', '&#6 5;'],
  ...['&#0065;', '&#x0000000041;', '&#60;', '&#38;', '&#x1F600;', '&#1e1;', '&lt', '&amp'],
  ...['<a>', '</a>', '<a/>', '<a></a>', '<a ></a >', '< a/>', '<a / >', '</ a>', '<a', '<1/>'],
  ...['<å/>', '<a·/>', '<·/>', '<-a/>', '<a.b-c_1/>', '<_/>', '<a\u00d7/>', '<𐀀/>', '<a\n/>'],
  ...['<:a/>', '<a:/>', '<a:b/>', '<a:b:c/>', '<cbc:1/>', '<cbc:a/>', '<xml:a/>', '<xmlns:a/>'],
  ...['<cbc:-a/>', '<cbc:å/>', '<xmlns/>', '<xml/>', '<a b="<"/>', '<a b=">"/>', '<a b="&"/>'],
  ...['<a b="]]>"/>', "<a b='\"'/>", '<a b="&#60;"/>', '<a b=" x\ty\nz\r\nå "/>', '<a b=""/>'],
  ...['<a b="1"c="2"/>', '<a b="1" b="1"/>', '<a b/>', '<a b=1/>', '<a b=\'1"/>', '<a b = "1"/>'],
  ...['<a 1="1"/>', '<a b="&nbsp;"/>', '<a b="&#10;&#13;&#9;&#32;"/>', '<a></a b="1">', '<a b="1"'],
  ...['<!DOCTYPE a>', '<!doctype a>', '<!ELEMENT a ANY>', '<!', '<!>', '<!a>', '<![INCLUDE[x]]>'],
];

/** Put inside a start tag. */
const attributes = [
  ...[
    'a="1"',
    'a="1" a="2"',
    'a=""',
    'currencyID="SEK"',
    'p:a="1"',
    ':a="1"',
    'a:="1"',
    'cbc:1="x"',
  ],
  ...['cbc:a="1"', 'cbc:a="1" a="1"', 'cbc:a="1" cac:a="1"', 'cbc:a="1" cbc:a="1"', 'a:b:c="1"'],
  ...['xmlns="urn:x"', 'xmlns=""', 'xmlns="" xmlns="urn:x"', 'xmlns:cbc=""', 'xmlns:cbc="urn:x"'],
  ...['xmlns:p="urn:x"', 'xmlns:p="urn:x" p:a="1"', 'p:a="1" xmlns:p="urn:x"', 'xmlns:="urn:x"'],
  ...['xmlns:p="urn:x" xmlns:q="urn:x" p:a="1" q:a="2"', 'xmlns:p="urn:x" xmlns:p="urn:y"'],
  ...['xmlns:p="urn:x" xmlns:q="urn:&#120;" p:a="1" q:a="2"', 'xmlns="urn:x" xmlns:p="urn:x"'],
  ...['xmlns="urn:x" xmlns:p="urn:x" a="1" p:a="2"', 'xmlns:1="urn:x"', 'xmlns:p:q="urn:x"'],
  ...['xmlns:xml="urn:x"', 'xmlns:xml="http://www.w3.org/XML/1998/namespace"', 'xmlns:-p="urn:x"'],
  ...['xmlns:p="http://www.w3.org/XML/1998/namespace"', 'xmlns:xmlns="urn:x"', 'xmlns:å="urn:x"'],
  ...['xmlns="http://www.w3.org/XML/1998/namespace"', 'xmlns="http://www.w3.org/2000/xmlns/"'],
  ...['xmlns:p="http://www.w3.org/2000/xmlns/"', 'xmlns:xmlns="http://www.w3.org/2000/xmlns/"'],
  ...['xml:lang="sv"', 'xml:space="x"', 'xml:å="1"', 'xml:lang="sv" xml:lang="en"', 'xmlnsp="x"'],
  ...['xmlns:p=" urn:x "', 'XMLNS:p="urn:x"', 'xmlns:xmlp="urn:x" xmlp:a="1"', 'xmlns :p="urn:x"'],
  ...['a="\u0001"', 'a="\ufffe"', 'a="😀"', 'a="a\tb\nc\rd\r\ne"', "a='\"'", 'a="&lt;"', 'a="<"'],
];

const xmlDeclarations = [
  '',
  ...['<?xml version="1.0"?>', "<?xml version='1.0' encoding='utf-8' ?>", '<?xml?>', '<?xml ?>'],
  ...['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', '<?xml encoding="UTF-8"?>'],
  ...['<?xml version="1.0" standalone="no"?>', '<?xml version="1.0" standalone="maybe"?>'],
  ...['<?xml version="1.0" standalone="yes" encoding="UTF-8"?>', '<?xml version = "1.0"?>'],
  ...['<?xml encoding="UTF-8" version="1.0"?>', '<?xml version="1.0"encoding="UTF-8"?>'],
  ...[
    '<?xml version="1.0" encoding=""?>',
    '<?xml version="1.0" encoding="-"?>',
    '<?xml version=""?>',
  ],
  ...['<?xml version="1.0" encoding="UTF-8" encoding="UTF-8"?>', '<?xml version="1.0" a="b"?>'],
  ...[
    '<?xml version="1.1"?>',
    '<?xml version="1.10"?>',
    '<?xml version="2.0"?>',
    '<?xml version="1"?>',
  ],
  ...[
    '<?xml version="1.0\'?>',
    '<?xml version=1.0?>',
    '<?xml version="1.0">',
    '<?xml version="1.0" ? >',
  ],
  ...[
    '<?XML version="1.0"?>',
    '<?xml\tversion="1.0"\r\nencoding="UTF-8"\n?>',
    ' <?xml version="1.0"?>',
  ],
  ...[
    '\n<?xml version="1.0"?>',
    '<?xml version="1.0"?><?xml version="1.0"?>',
    '<?xmlversion="1.0"?>',
  ],
  ...['<?xml version="1.0" encoding="utf8"?>', '<?xml version="1.0" encoding="UTF-16"?>'],
  ...['<?xml version="1.0" encoding="ISO-8859-1"?>', '<?xml version="1.0" encoding="US-ASCII"?>'],
  ...[
    '<?xml version="1.0" encoding="windows-1252"?>',
    '<?xml version="1.0" encoding="Shift_JIS"?>',
  ],
  ...['<?xml version="1.0" encoding="UTF-16LE"?>', '<?xml version="1.0" encoding="latin1"?>'],
  ...['<?xml version="1.0" encoding="UTF-8"?><!-- x -->', '<!-- x --><?xml version="1.0"?>'],
];

const badBytes = [
  ...[
    [0x80],
    [0xc0, 0x80],
    [0xc3],
    [0xe5],
    [0xed, 0xa0, 0x80],
    [0xef, 0xbf, 0xbe],
    [0xf4, 0x90, 0x80, 0x80],
  ],
  ...[
    [0xff],
    [0xfe],
    [0xfe, 0xff],
    [0xff, 0xfe],
    [0xef, 0xbb, 0xbf],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0],
  ],
  ...[
    [0xe2, 0x82],
    [0xf0, 0x9f, 0x98],
    [0xed, 0xb0, 0x80],
    [0xe0, 0x80, 0xaf],
    [0xc2, 0x85],
    [0x81],
    [0xd8, 0],
  ],
];

type Change = (text: string) => string;
type Encode = (text: string) => Buffer;

/** A place in the text, more often than not next to markup, where there is something to break. */
const place = fc
  .tuple(fc.nat(20_000), fc.nat(4), fc.nat(2))
  .map(([n, kind, shift]) => (text: string): number => {
    const at = n % (text.length + 1);
    if (kind === 0) return at;
    const near = text.slice(at).search(/[<>="'&;?:/]/);
    return near < 0 ? at : Math.min(text.length, at + near + shift);
  });

const splice = (text: string, at: number, removed: number, put: string): string =>
  text.slice(0, at) + put + text.slice(at + removed);

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(place, fc.constantFrom(...insertions), fc.nat(2)).map(
      ([at, put, removed]): Change =>
        (text) =>
          splice(text, at(text), removed === 2 ? 1 : 0, put),
    ),
  },
  // In the text of an element, where the insertion means what it says.
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat(20_000), fc.constantFrom(...insertions)).map(
      ([n, put]): Change =>
        (text) => {
          const at = text.indexOf('>', n % text.length);
          return splice(text, at + 1, 0, put);
        },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(20_000), fc.constantFrom(...insertions)).map(
      ([n, put]): Change =>
        (text) => {
          const at = text.indexOf('"', n % text.length);
          return splice(text, at + 1, 0, put);
        },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat(20_000), fc.constantFrom(...attributes)).map(
      ([n, put]): Change =>
        (text) => {
          const from = n % text.length;
          const found = /<[A-Za-z:]+/.exec(text.slice(from));
          return found ? splice(text, from + found.index + found[0].length, 0, ` ${put}`) : text;
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...attributes).map(
      (put): Change =>
        (text) =>
          text.replace(/<[A-Za-z:]+/, (tag) => `${tag} ${put}`),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(place, fc.integer({ min: 1, max: 12 })).map(
      ([at, size]): Change =>
        (text) =>
          splice(text, at(text), size, ''),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(place, fc.integer({ min: 1, max: 200 })).map(
      ([at, size]): Change =>
        (text) => {
          const from = at(text);
          return splice(text, from, 0, text.slice(from, from + size));
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(place, place, fc.integer({ min: 1, max: 20 })).map(
      ([a, b, size]): Change =>
        (text) => {
          const [from, to] = [a(text), b(text)].sort((x, y) => x - y) as [number, number];
          if (to < from + size) return text;
          const [first, second] = [text.slice(from, from + size), text.slice(to, to + size)];
          return (
            text.slice(0, from) +
            second +
            text.slice(from + size, to) +
            first +
            text.slice(to + size)
          );
        },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...xmlDeclarations).map(
      (put): Change =>
        (text) =>
          text.replace(/^<\?xml[^>]*>\n?/, () => put),
    ),
  },
  {
    weight: 1,
    arbitrary: place.map(
      (at): Change =>
        (text) =>
          text.slice(0, at(text)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...insertions).map(
      (put): Change =>
        (text) =>
          put + text,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...insertions).map(
      (put): Change =>
        (text) =>
          text + put,
    ),
  },
  // What a sender's template may get wrong everywhere at once.
  {
    weight: 1,
    arbitrary: fc.constantFrom<Change>(
      (text) => text.replaceAll('\n', '\r\n'),
      (text) => text.replaceAll('\n', '\r'),
      (text) => text.replaceAll('cbc:', 'x:'),
      (text) => text.replaceAll('cbc:', 'x:').replace('xmlns:x:', 'xmlns:x'),
      (text) => text.replaceAll('cbc:', ''),
      (text) => text.replaceAll('"', "'"),
      (text) => text.replace(/xmlns:cac="[^"]*"/, ''),
      (text) => text.replace(/xmlns="[^"]*"/, ''),
      (text) => text.toUpperCase(),
    ),
  },
);

const utf16le: Encode = (text) => Buffer.from(text, 'utf16le');
const utf16be: Encode = (text) => utf16le(text).swap16();
const utf8: Encode = (text) => Buffer.from(text);
const latin1: Encode = (text) => Buffer.from(text, 'latin1');
const marked =
  (encode: Encode): Encode =>
  (text) =>
    encode(`\ufeff${text}`);
const declaredAs =
  (name: string, encode: Encode): Encode =>
  (text) =>
    encode(text.replace(/encoding="[^"]*"/, `encoding="${name}"`));

const encodings: fc.Arbitrary<Encode> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(utf8) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Encode>(
      marked(utf8),
      declaredAs('UTF-16', marked(utf16le)),
      declaredAs('UTF-16', marked(utf16be)),
      declaredAs('UTF-16', utf16le),
      declaredAs('UTF-16', utf16be),
      marked(utf16le),
      utf16be,
      declaredAs('ISO-8859-1', latin1),
      declaredAs('windows-1252', latin1),
      declaredAs('US-ASCII', utf8),
      latin1,
      declaredAs('ISO-8859-1', marked(utf8)),
      marked(marked(utf8)),
    ),
  },
);

const bytesChange = fc
  .tuple(fc.nat(40_000), fc.constantFrom(...badBytes), fc.nat(2))
  .map(([n, put, removed]) => (bytes: Buffer): Buffer => {
    const at = n % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + removed)]);
  });

const mutated = fc
  .tuple(
    fc.constantFrom(...documents),
    fc.array(change, { minLength: 0, maxLength: 2 }),
    encodings,
    fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(bytesChange, { minLength: 1, maxLength: 1 }) },
    ),
  )
  .map(([document, changes, encode, spoil]) => {
    const text = changes.reduce((before, one) => one(before), document);
    return readable(spoil.reduce((before, one) => one(before), encode(text)));
  });

/** So that a failure shows a document and not thousands of numbers. */
function readable(bytes: Buffer): Buffer {
  return Object.defineProperty(bytes, fc.toStringMethod, {
    value: () => JSON.stringify(bytes.toString('latin1')),
  });
}

describe('a supplier’s damaged document', () => {
  it('is never booked from a text that others cannot read, nor refused when all others read it', () => {
    const outcomes: Record<Outcome, number> = { excluded: 0, read: 0, refused: 0 };
    fc.assert(
      fc.property(mutated, (bytes) => {
        outcomes[compare(bytes)] += 1;
      }),
      { seed: 20_260_331, numRuns: 2500 },
    );
    // Should nearly all be refused, or none, the changes have stopped asking anything.
    expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(600);
    expect(outcomes.excluded).toBeLessThan(100);
  });

  it('is read alike whatever single insertion stands in a text, an attribute or at an end', () => {
    const document = eInvoice({ number: 'F-1@01' }).replace('"SEK"', '"S@K"');
    for (const put of insertions) {
      const [first, second] = [document.indexOf('@'), document.lastIndexOf('@')];
      const without = document.replaceAll('@', '');
      for (const at of [0, first, second - 1, without.length]) {
        compare(readable(utf8(splice(without, at, 0, put))));
      }
    }
  });

  it('is read alike whatever attribute or declaration a tag has, and whatever XML declaration', () => {
    const document = eInvoice();
    for (const put of attributes) {
      for (const tag of ['<Invoice', '<cbc:ID', '<cac:Party']) {
        compare(readable(utf8(document.replace(tag, `${tag} ${put}`))));
      }
    }
    for (const put of xmlDeclarations) {
      for (const encode of [utf8, latin1, utf16le, marked(utf8), marked(utf16be)]) {
        compare(readable(encode(document.replace(/^<\?xml[^>]*>\n?/, () => put))));
      }
    }
  });

  test.each<[string, string]>([
    ['names whose part after the prefix begins with a digit', '<a xmlns:p="urn:x"><p:1/></a>'],
    ['attributes whose part after the prefix begins with a hyphen', '<a xml:-b="1"/>'],
    ['prefixes that begin with a digit', '<a xmlns:1="urn:x"/>'],
    ['a declaration of no prefix', '<a xmlns:="urn:x"/>'],
    ['a prefix for the namespace of declarations', '<a xmlns:p="http://www.w3.org/2000/xmlns/"/>'],
    ['colons in the name of an instruction', '<a><?b:c d?></a>'],
    ['an instruction that runs on after its name', '<a><?b?c?></a>'],
    ['a second byte order mark', '\ufeff\ufeff<a/>'],
    ['control characters because version 1.1 allows them', '<?xml version="1.1"?><a>&#1;</a>'],
  ])('does not slip through with %s', (_, text) => {
    expect(compare(utf8(text))).toBe('refused');
  });

  it('tells where its instruction is wrong', () => {
    const text = '<?xml version="1.0"?>\n<!-- <?x?y?> -->\n<a><![CDATA[<?x?y?>]]>\n  <?x?y?></a>';
    expect(() => readXml(text)).toThrow(expect.objectContaining({ line: 4, column: 3 }));
    expect(readXml(text.replace(/<.x.y..<\/a>/, '<?x ?y?></a>')).root.name).toBe('{}a');
  });
});
