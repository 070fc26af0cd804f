/** `npm run house`: how many rooms the house has, how many arrows lead between them, and what goes in circles. */
import { readHouse } from './support/house.ts';

const { files, rooms, arrows, circles } = await readHouse();
const named = (found: readonly string[][]): string =>
  found.length === 0 ? 'none' : found.map((circle) => circle.join(' ↔ ')).join('; ');

console.log(`files   ${files.length}`);
console.log(`rooms   ${rooms.length}: ${rooms.join(', ')}`);
console.log(`arrows  ${arrows.length}`);
console.log(`circles of rooms: ${named(circles.rooms)}`);
console.log(`circles of files: ${named(circles.files)}`);
process.exitCode = circles.rooms.length + circles.files.length === 0 ? 0 : 1;
