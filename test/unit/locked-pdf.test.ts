/** A PDF that nobody can read in seven years is no document; one that only forbids printing is. */
import { expect, it, test } from 'vitest';
import { isLockedPdf } from '#src/ledger/attachments/locked-pdf.ts';

/** Of each kind there is, with the password "hemlig" or none to open it; written by pypdf 6.19. */
const written = [
  [
    'RC4-40',
    true,
    '/Filter /Standard /V 1 /R 2 /Length 40 /P 4294967292',
    '0ca6c0fef7d74fb2d7c16d3e808bbf393db9ab492e23c7fdc295db05ab954dc3',
    'b993ced72548273fa852b7315f1d63ce4f7d1c10e85714ebcd932f50690ccd65',
    '3434373432353538393630343533623732326334366438366164323361666465',
  ],
  [
    'RC4-40',
    false,
    '/Filter /Standard /V 1 /R 2 /Length 40 /P 4294967292',
    '4c7ce3ccd0c5ed4cfd9f6d1df530da315dc15405ff43d753ed2fa293f1460bb5',
    'd5fc251d71c7561ee36d4b2b188afb89087145f59a562fcc4985b622b59b9a99',
    '3434373432353538393630343533623732326334366438366164323361666465',
  ],
  [
    'RC4-128',
    true,
    '/Filter /Standard /V 2 /R 3 /Length 128 /P 4294967292',
    'e35dcc2cc590dfd41a79b1ded68093a9c015801a8cc9aa553dbc67e10a385ca5',
    'ad1272d3d7350a505b5f76df9f21887628bf4e5e4e758a4164004e56fffa0108',
    '3434373432353538393630343533623732326334366438366164323361666465',
  ],
  [
    'AES-128',
    true,
    '/Filter /Standard /V 4 /R 4 /Length 128 /P 4294967292',
    'e35dcc2cc590dfd41a79b1ded68093a9c015801a8cc9aa553dbc67e10a385ca5',
    'ad1272d3d7350a505b5f76df9f21887628bf4e5e4e758a4164004e56fffa0108',
    '3434373432353538393630343533623732326334366438366164323361666465',
  ],
  [
    'AES-128',
    false,
    '/Filter /Standard /V 4 /R 4 /Length 128 /P 4294967292',
    'a387ef1ee2827d2a3027b1fda33bf6a1a06d7f565da9bafb12061e7750eb1ad3',
    'e69e8fad146846ecb55ebcf5d44538af28bf4e5e4e758a4164004e56fffa0108',
    '3434373432353538393630343533623732326334366438366164323361666465',
  ],
  [
    'AES-256-R5',
    true,
    '/Filter /Standard /V 5 /R 5 /Length 256 /P 4294967292',
    '67bf71a75f7cf008e39e4054b341c1e40ff7aad1060873ecc6a750cdac4a1ded67f6d797f4ba9338b287a7b0150dbe7d',
    '7f802863c565d7408fc099ee5bbcbd21daac91e72804198355e4a39130a5759af7c40bf201415c583322e3e4be34386b',
    '3434373432353538393630343533623732326334366438366164323361666465',
  ],
  [
    'AES-256',
    true,
    '/Filter /Standard /V 5 /R 6 /Length 256 /P 4294967292',
    'b0124ee9c7d7c0a04b96622ababc501fe33ff0741417d2032dd29fec05d26386115142a44e8f081c9af596b454ff6388',
    '1dcdb8a71cce5698fb80d1e11d2a28aaedeb076e504f48609fc6a5673e8615e34e15103f9420e6cc89b4f401161e6594',
    '3434373432353538393630343533623732326334366438366164323361666465',
  ],
  [
    'AES-256',
    false,
    '/Filter /Standard /V 5 /R 6 /Length 256 /P 4294967292',
    'f5432c15504e68e66c4562d7f8fb6c05e0c6301b43274e30e14e174f4fae451c33d3a4a41da15e5212bbe8ab537058e2',
    'bb0820f9d1b2937c4416b85a85c13584cec9de503e487e66722b600a4633851da1538e9112e6a320b0bacead8e2e3129',
    '3434373432353538393630343533623732326334366438366164323361666465',
  ],
] as const;

const pdf = (lock: string, id: string) =>
  Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n12 0 obj\n<< ${lock} >>\nendobj\ntrailer\n<< /Root 1 0 R /Encrypt 12 0 R /ID [ ${id} ${id} ] >>\n%%EOF`,
    'latin1',
  );
/** A text as programs write it, each byte told by its octal number. */
const inOctal = (hex: string): string =>
  `(${[...Buffer.from(hex, 'hex')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')})`;

test.each(written)(
  'locked by %s: whether it needs a password is %s',
  (_, isLocked, head, o, u, id) => {
    const within = '/CF << /StdCF << /CFM /AESV2 /Length 16 /R 9 >> >> /StmF /StdCF';
    expect(isLockedPdf(pdf(`${within} ${head} /O <${o}> /U <${u}>`, `<${id}>`))).toBe(isLocked);
    expect(isLockedPdf(pdf(`${head} /O ${inOctal(o)} /U ${inOctal(u)}`, inOctal(id)))).toBe(
      isLocked,
    );
  },
);

test.each(written)(
  'locked by %s (%s), although another object’s number ends in the lock’s',
  (_, isLocked, head, o, u, id) => {
    const other = Buffer.from('112 0 obj\n<< /Filter /FlateDecode /Length 0 >>\nendobj\n');
    const file = pdf(`${head} /O <${o}> /U <${u}>`, `<${id}>`);
    const before = file.indexOf('trailer');
    const both = Buffer.concat([file.subarray(0, before), other, file.subarray(before)]);
    expect(isLockedPdf(both)).toBe(isLocked);
  },
);

it('is locked when only who holds a certificate can open it', () => {
  expect(isLockedPdf(pdf('/Filter /Adobe.PubSec /V 4', '<00>'))).toBe(true);
});

test.each(['%PDF-1.7 a text about /Encrypt', '%PDF-1.7 /Encrypt 9 0 R', '%PDF-1.7', ''])(
  '%j is not said to be locked',
  (text) => expect(isLockedPdf(Buffer.from(text))).toBe(false),
);
