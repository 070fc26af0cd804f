export const exportInSwedish: Readonly<Record<string, string>> = {
  'Export all vouchers with rows, out of one moment':
    'Exportera alla verifikat med rader, ur ett och samma ögonblick',
  'Vouchers as they stood at one moment, by date, written while they are read: NDJSON, a voucher a line, or CSV, a row a line. The export is whole when its last line says end, and only then. One that broke off goes on with snapshot, and with after, the id of the last voucher that came whole. Counts as one call, and one more for each 50 000 rows.':
    'Verifikaten som de stod i ett ögonblick, i datumordning, skrivna medan de läses: NDJSON med ett verifikat per rad, eller CSV med en verifikatrad per rad. Exporten är hel när sista raden säger end, och bara då. En som brutits fortsätter med snapshot och med after, id:t på det sista verifikatet som kom helt. Räknas som ett anrop, och ett till för varje 50 000 rader.',
  'ndjson or csv; when it is left out, csv if Accept has text/csv, else ndjson':
    'ndjson eller csv; när det utelämnas csv om Accept har text/csv, annars ndjson',
  'The moment that an earlier export began with, to go on with it or to ask for more of the same moment':
    'Ögonblicket som en tidigare export började med, för att fortsätta den eller fråga efter mer ur samma ögonblick',
  'Only vouchers after this one, the last that came whole; together with snapshot':
    'Bara verifikat efter det här, det sista som kom helt; tillsammans med snapshot',
  'The export. It is whole when the last line is there: {"end": …}, or one that begins with end.':
    'Exporten. Den är hel när sista raden finns: {"end": …}, eller en som börjar med end.',
  'One JSON object a line: first {"begin": {snapshot, taken_at, events_cursor, vouchers, rows}}, then each voucher as GET /api/v1/verifikat has it, last {"end": {vouchers, rows, debit, credit}}. A line {"status": …, "error": …} has the form of any refusal, and nothing comes after it':
    'Ett JSON-objekt per rad: först {"begin": {snapshot, taken_at, events_cursor, vouchers, rows}}, sedan varje verifikat som GET /api/v1/verifikat har det, sist {"end": {vouchers, rows, debit, credit}}. En rad {"status": …, "error": …} har samma form som varje fel, och efter den kommer inget',
  'RFC 4180 in UTF-8: a line of column names, then one for each row, which begins with row; last one that begins with end, with the number of rows in row_count and the sums in debit and credit':
    'RFC 4180 i UTF-8: en rad med kolumnnamn, sedan en för varje verifikatrad, som börjar med row; sist en som börjar med end, med antalet rader i row_count och summorna i debit och credit',
  'The moment of the export, to send as snapshot when it is to go on.':
    'Exportens ögonblick, att skicka som snapshot när den ska fortsätta.',
  'The id of the cost centre; with include=dimensions':
    'Kostnadsställets id; med include=dimensions',
  'The id of the project; with include=dimensions': 'Projektets id; med include=dimensions',
};
