/** Which releases of the official rules the rules here follow, and from when they are in force. */

export interface Release {
  readonly name: string;
  readonly version: string;
  /** `YYYY-MM-DD`. */
  readonly published: string;
  /** From this day the network judges by the release. */
  readonly mandatory_from: string;
  readonly source: string;
}

/** Peppol's release of May 2026, and the release of EN 16931's rules that it includes. */
export const releases: readonly Release[] = [
  {
    name: 'EN 16931, UBL',
    version: '1.3.16',
    published: '2026-04-10',
    mandatory_from: '2026-08-17',
    source: 'https://github.com/ConnectingEurope/eInvoicing-EN16931',
  },
  {
    name: 'Peppol BIS Billing',
    version: '3.0.21',
    published: '2026-05-18',
    mandatory_from: '2026-08-17',
    source: 'https://github.com/OpenPEPPOL/peppol-bis-invoice-3',
  },
  {
    name: 'Peppol BIS Self-Billing',
    version: '3.0.2',
    published: '2026-05-18',
    mandatory_from: '2026-08-17',
    source: 'https://github.com/OpenPEPPOL/peppol-bis-invoice-3',
  },
];
