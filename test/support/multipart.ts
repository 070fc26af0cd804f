/** A form with files as a browser sends it. */
export interface SentFile {
  readonly name: string;
  readonly fileName: string;
  readonly bytes: Buffer | string;
  readonly type?: string;
}

export function multipartOf(
  fields: Readonly<Record<string, string | readonly string[]>>,
  files: readonly SentFile[],
): { readonly payload: Buffer; readonly headers: Readonly<Record<string, string>> } {
  const boundary = '----huvudbok-test-boundary';
  const parts: (Buffer | string)[] = [];
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) {
      parts.push(
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
    }
  }
  for (const { name, fileName, bytes, type = 'application/octet-stream' } of files) {
    const quoted = fileName.replaceAll('"', '%22');
    parts.push(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${quoted}"\r\ncontent-type: ${type}\r\n\r\n`,
      bytes,
      '\r\n',
    );
  }
  parts.push(`--${boundary}--\r\n`);
  return {
    payload: Buffer.concat(parts.map((part) => Buffer.from(part))),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
