/**
 * The conditions of a month end, by the names agencies know them by (docs/glossary.md), each with what
 * holds when it is met.
 */
export const monthConditions = {
  bank: 'Varje bankrad har ett verifikat, och bankens saldo är bokföringens.',
  underlag: 'Varje verifikat i månaden har sitt underlag.',
  leverantorsinkorg: 'Ingen leverantörsfaktura väntar på beslut.',
  orderinkorg: 'Ingen order har stannat.',
  kundfakturor: 'Inget fakturautkast väntar på att bokföras.',
  kundreskontra: 'Det kunderna var skyldiga när månaden slutade är vad konto 1510 visade.',
  leverantorsreskontra:
    'Det leverantörerna skulle ha när månaden slutade är vad konto 2440 visade.',
  moms: 'Ingen momsperiod som slutar med månaden återstår att lämna eller boka om till 2650.',
  obs_konto: 'Inget ligger kvar på observationskontona 1999 och 2999.',
  verifikationsnummer:
    'Ingen serie har luckor, och den senaste kontrollen av böckerna fann inget fel.',
  kassa:
    'Kassan (1910–1919) var aldrig under noll när en dag i månaden var slut, och ingen dagskassa har stannat.',
  periodisering: 'Det av periodiseringar och avskrivningar som hör till månaden är bokfört.',
} as const;
