/** The VAT return as a file: "eSKDUpload 6.0", element by element in the order that its DTD fixes. */
import { XmlDocument, XmlElement } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { noteFault, vatFileText } from '#src/domain/ledger/vat-file.ts';
import { type BoxAmount, vatReturnOf } from '#src/domain/ledger/vat-return.ts';

/** As the DTD of eSKDUpload 6.0 has them, all optional but Period. */
const order =
  `Period ForsMomsEjAnnan UttagMoms UlagMargbesk HyrinkomstFriv InkopVaruAnnatEg InkopTjanstAnnatEg
  InkopTjanstUtomEg InkopVaruSverige InkopTjanstSverige MomsUlagImport ForsVaruAnnatEg ForsVaruUtomEg
  InkopVaruMellan3p ForsVaruMellan3p ForsTjSkskAnnatEg ForsTjOvrUtomEg ForsKopareSkskSverige ForsOvrigt MomsUtgHog
  MomsUtgMedel MomsUtgLag MomsInkopUtgHog MomsInkopUtgMedel MomsInkopUtgLag MomsImportUtgHog MomsImportUtgMedel
  MomsImportUtgLag MomsIngAvdr MomsBetala TextUpplysningMoms`.split(/\s+/);

const file = (amounts: readonly BoxAmount[], note: string | null = null) =>
  vatFileText({
    organizationNumber: '5567026934',
    end: '2026-03-31',
    vatReturn: vatReturnOf(amounts),
    note,
  });

/** The elements of Moms with their text, read by libxml2 out of the bytes as they are sent. */
function read(text: string): [string, string][] {
  const document = XmlDocument.fromBuffer(Buffer.from(text, 'latin1'));
  try {
    const nodes = document.find('/eSKDUpload/Moms/*').filter((node) => node instanceof XmlElement);
    return nodes.map(({ name, content }): [string, string] => [name, content]);
  } finally {
    document.dispose();
  }
}

const inDebit = ['20', '21', '22', '23', '24', '37', '48', '50'];
const every =
  '05 06 07 08 10 11 12 20 21 22 23 24 30 31 32 35 36 37 38 39 40 41 42 48 50 60 61 62'.split(' ');

test('is what Skatteverket has shown', () => {
  const text = file([
    { box: '05', ore: 10_000_050n },
    { box: '10', ore: 2_500_012n },
    { box: '48', ore: -1_000_099n },
  ]);
  expect(text).toBe(`<?xml version="1.0" encoding="ISO-8859-1"?>
<eSKDUpload Version="6.0">
  <OrgNr>556702-6934</OrgNr>
  <Moms>
    <Period>202603</Period>
    <ForsMomsEjAnnan>100000</ForsMomsEjAnnan>
    <MomsUtgHog>25000</MomsUtgHog>
    <MomsIngAvdr>10000</MomsIngAvdr>
    <MomsBetala>15000</MomsBetala>
  </Moms>
</eSKDUpload>
`);
});

test('has every box in the order of the DTD', () => {
  const amounts = every.map((box, place) => ({
    box,
    ore: BigInt(100 * (place + 1)) * (inDebit.includes(box) ? -1n : 1n),
  }));
  const elements = read(file(amounts, 'Rättelse'));
  expect(elements.map(([name]) => name)).toEqual(order);
  const written = Object.fromEntries(elements);
  // Of the written figures: 5 + 6 + 7 + 13 + 14 + 15 + 26 + 27 + 28 − 24.
  expect(written['MomsBetala']).toBe('117');
  expect(written['InkopVaruAnnatEg']).toBe('8');
});

test('a period without anything says that nothing is to be paid', () => {
  expect(read(file([]))).toEqual([
    ['Period', '202603'],
    ['MomsBetala', '0'],
  ]);
});

test('what comes back has a minus, and öre of either sign leave no minus zero', () => {
  const written = Object.fromEntries(
    read(
      file([
        { box: '05', ore: -40_060n },
        { box: '10', ore: -10_015n },
        { box: '48', ore: 15n },
      ]),
    ),
  );
  expect(written).toEqual({
    Period: '202603',
    ForsMomsEjAnnan: '-400',
    MomsUtgHog: '-100',
    MomsBetala: '-100',
  });
});

describe('words to Skatteverket', () => {
  test('come through as they were written', () => {
    const note = `Rättelse av faktura <17> & kreditnota, "å ä ö É §"`;
    expect(noteFault(note)).toBeNull();
    expect(Object.fromEntries(read(file([], note)))['TextUpplysningMoms']).toBe(note);
  });

  test.each([
    ['x'.repeat(301), 'vat_note_length'],
    ['', 'vat_note_length'],
    ['på två\nrader', 'vat_note_characters'],
    ['10 €', 'vat_note_characters'],
    ['–', 'vat_note_characters'],
    ['\u0085', 'vat_note_characters'],
  ])('%j is refused, and never cut', (note, reason) => {
    expect(noteFault(note)?.reason).toBe(reason);
  });

  test('of 300 characters are let in', () => {
    expect(noteFault('å'.repeat(300))).toBeNull();
  });
});
