/**
 * The order of test files, in which no processor idles: processes that wait for one another first, beside each
 * other and whatever follows; last those whose files are all short. A worker goes on with files of the project
 * it has, for which it has loaded the program, so projects are not mixed.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const projects = ['process', 'browser', 'database', 'pages', 'http', 'workers', 'unit'] as const;

const placeOf = ({ project }: TestSpecification): number =>
  (projects as readonly string[]).indexOf(project.name);

export class InTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longestFirst = await super.sort(files);
    return longestFirst.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
