/** A small disk of its own, in memory, that can be filled to the last byte; only root may mount one. */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mebibyte = 1024 * 1024;

export class Disk {
  readonly folder: string;
  readonly #ballast: string;

  constructor(mebibytes: number) {
    this.folder = mkdtempSync(join(tmpdir(), 'huvudbok-disk-'));
    this.#ballast = join(this.folder, 'ballast');
    try {
      const options = `size=${mebibytes}m,mode=0755`;
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', this.folder], {
        stdio: 'pipe',
      });
    } catch (error) {
      rmdirSync(this.folder);
      throw error;
    }
    chmodSync(this.folder, 0o755);
  }

  /** Takes what room there is, and what others have given back since. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (const bytes of [Buffer.alloc(mebibyte), Buffer.alloc(4096), Buffer.alloc(1)]) {
        for (;;) if (writeSync(file, bytes) < bytes.length) break;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    execFileSync('umount', ['-l', this.folder]);
    rmdirSync(this.folder);
  }
}

/** Whether this user may, on this machine. */
export const mayMount = ((): boolean => {
  try {
    new Disk(1).remove();
    return true;
  } catch {
    return false;
  }
})();
