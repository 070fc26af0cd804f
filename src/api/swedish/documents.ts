export const documentsInSwedish: Readonly<Record<string, string>> = {
  'SHA-256 of the content, hexadecimal': 'Innehållets SHA-256, hexadecimalt',
  Bytes: 'Byte',
  'By the content, whatever the file is called': 'Efter innehållet, vad filen än heter',
  'Waits in the inbox for its voucher': 'Väntar i inkorgen på sitt verifikat',
  'Lies on a voucher or a supplier invoice': 'Ligger på ett verifikat eller en leverantörsfaktura',
  'Put aside by somebody; kept': 'Undanlagt av någon; sparas',
  'The same content was here already; this is that document, as it was described then':
    'Samma innehåll fanns redan; det är det underlaget, som det beskrevs då',
  'The document is stored': 'Underlaget är sparat',
  'Hand in a document to the inbox': 'Lämna ett underlag till inkorgen',
  'The body is the file as it is: PDF, PNG, JPEG, HEIC, XML, CSV or text in UTF-8, at most 10 MiB; its kind is decided by its content. Needs the header Idempotency-Key. The same content never becomes two documents. A person, or an unambiguous suggestion that a person accepts, puts the document on its voucher.':
    'Kroppen är filen som den är: PDF, PNG, JPEG, HEIC, XML, CSV eller text i UTF-8, högst 10 MiB; slaget avgörs av innehållet. Kräver rubriken Idempotency-Key. Samma innehåll blir aldrig två underlag. En människa, eller ett entydigt förslag som en människa godtar, lägger underlaget på sitt verifikat.',
  'The file as it is, at most 10 MiB': 'Filen som den är, högst 10 MiB',
  'The name of the file. A day and an amount that stand in it need not be said':
    'Filens namn. Dag och belopp som står i det behöver inte sägas',
  'The day on the receipt or invoice': 'Dag på kvittot eller fakturan',
  'Amount with VAT, in kronor': 'Belopp med moms, i kronor',
  'Whom it comes from': 'Vem det kommer från',
};
