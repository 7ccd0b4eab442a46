import { findSessionUser } from "~/domain/accounts/session-user.server";
import { codeSearchList } from "~/domain/codes/code-search-list";
import { searchCodesFor } from "~/domain/codes/search.service.server";
import { createAdmin } from "../support/factories";
import { fillRegister } from "../support/many-codes";
import { median, round, say, timed, withPortal } from "./portal";
import { report } from "./report";

const FEW = 1000;
const MANY = Number(process.env.BENCH_CODES ?? 1_000_000);
const TIMES = 25;

const SEARCHES = [
  "company=parts42",
  "company=gmbh",
  "company=example+gmbh&sort=city.desc",
  "city=city42",
  "code=AB",
  "code=0012",
  "country=276",
  "company=gmbh&city=city42&country=380",
  "company=parts4&city=city4",
  "company=gmbh&country=276&code=00",
];

for (const dialect of ["sqlite", "postgres"] as const)
  await withPortal(dialect, async () => {
    const admin = await findSessionUser({ id: (await createAdmin()).id, epoch: 0 });
    if (!admin) throw new Error("There is nobody to search.");
    const measure = async (query: string) => {
      const params = codeSearchList.read(new URLSearchParams(query));
      const search = () => searchCodesFor(admin, params);
      for (let time = 0; time < 5; time += 1) await search();
      const times: number[] = [];
      for (let time = 0; time < TIMES; time += 1) times.push(await timed(search));
      return { ms: median(times), found: (await search()).results?.total ?? NaN };
    };
    await fillRegister(dialect, 0, FEW);
    const few = [];
    for (const query of SEARCHES) few.push(await measure(query));
    say(`${dialect}: filling took ${round((await timed(() => fillRegister(dialect, FEW, MANY))) / 1000)} s`);
    for (const [index, query] of SEARCHES.entries()) {
      const [before, after] = [few[index] ?? { ms: NaN, found: NaN }, await measure(query)];
      report({
        name: `code search of ${MANY}, ${dialect}, '${query}'`,
        measured: after.ms,
        unit: "ms",
        comparedWith: { name: `of ${FEW}`, value: before.ms },
        must: { of: "difference", atMost: 20 },
        note: `${before.found} and ${after.found} found`,
      });
    }
  });
