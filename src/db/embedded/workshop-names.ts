/** How workshops are told from what else lies in a folder. */
import { readdir } from 'node:fs/promises';

/** Its first group is the mark of the process that works there. */
export const workshopForm = /^workshop-([0-9a-f]{12}-\d{1,10}-\d{1,20})-[^-]+$/;

/** Whether somebody is at work in the folder, or died at it. */
export async function hasWorkshop(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some((entry) => workshopForm.test(entry));
}
