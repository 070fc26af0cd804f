export const eInvoicesInSwedish: Readonly<Record<string, string>> = {
  'Amount to pay according to the document, in its currency; a credit note is negative':
    'Att betala enligt dokumentet, i dess valuta; kredit är negativt',
  'The country of the recipient, SE': 'Mottagarens land, SE',
  'A draft in the supplier inbox': 'Ett utkast i leverantörsinkorgen',
  'A draft that a person should look at first': 'Ett utkast som en människa ska titta på först',
  'The same bytes have come before': 'Samma byte har kommit förut',
  'The document is a draft in the supplier inbox': 'Dokumentet är ett utkast i leverantörsinkorgen',
  'The UBL document as text': 'UBL-dokumentet som text',
  'The same document as base64; one of the two fields': 'Samma dokument som base64; ett av fälten',
  'Breaks a rule that the document must follow': 'Bryter en regel som dokumentet måste följa',
  'Ought to be mended': 'Bör rättas',
  'Where in the document': 'Var i dokumentet',
  'What the rules say of the document': 'Vad reglerna säger om dokumentet',
  'The document cannot be read as an e-invoice': 'Dokumentet går inte att läsa som en e-faktura',
  'The document is addressed to somebody else': 'Dokumentet är ställt till någon annan',
  'What it is called among the refused': 'Så heter det bland de avvisade',
  'The line where the reading stopped': 'Raden där läsningen stannade',
  'Whether the document is stored, so that a person sees it: not with dryRun':
    'Om dokumentet är sparat, så att en människa ser det: inte med dryRun',
  'With dryRun: it would become a draft, nothing is kept':
    'Med dryRun: det skulle bli ett utkast, inget är sparat',
  'Receive an e-invoice': 'Ta emot en e-faktura',
  'Takes Peppol BIS Billing 3 (UBL 2.1, invoice or credit note), by itself or in a StandardBusinessDocument. Answers when the document has become a draft in the supplier inbox. The same bytes never become two drafts; a corrected invoice is another document. What was refused is judged anew when it comes again. With ?dryRun=true it is judged by the rules and by its receiver, and nothing is kept.':
    'Tar emot Peppol BIS Billing 3 (UBL 2.1, faktura eller kreditfaktura), för sig eller i ett StandardBusinessDocument. Svarar när dokumentet har blivit ett utkast i leverantörsinkorgen. Samma byte blir aldrig två utkast; en rättad faktura är ett annat dokument. Det som avvisades prövas på nytt när det kommer igen. Med ?dryRun=true bedöms det efter reglerna och sin mottagare, och inget sparas.',
};
