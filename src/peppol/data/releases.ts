/** Which releases of the official rules the rules here follow, and from when they are in force. */

export interface Release {
  readonly name: string;
  readonly version: string;
  /** The release's own date. */
  readonly published: string;
  readonly source: string;
}

export const releases: readonly Release[] = [
  {
    name: 'EN 16931, UBL',
    version: '1.3.16',
    published: '2026-04-10',
    source: 'https://github.com/ConnectingEurope/eInvoicing-EN16931',
  },
  {
    name: 'Peppol BIS Billing',
    version: '3.0.21',
    published: '2026-05',
    source: 'https://github.com/OpenPEPPOL/peppol-bis-invoice-3',
  },
];
