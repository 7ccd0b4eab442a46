import { findSessionUser } from "~/domain/accounts/session-user.server";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { listCertificatesFor } from "~/domain/certificates/catalogue/list.service.server";
import { createAdmin } from "../support/factories";
import { fillCertificates } from "../support/many-certificates";
import { median, processorTime, round, timed, withPortal } from "./portal";
import { report } from "./report";

const FEW = 1000;
const MANY = Number(process.env.BENCH_CERTIFICATES ?? 1_000_000);
const TIMES = 25;
const NONE = { ms: NaN, own: NaN };

for (const dialect of ["sqlite", "postgres"] as const)
  await withPortal(dialect, async () => {
    const measure = async (userId: number, query: string) => {
      const user = await findSessionUser({ id: userId, epoch: 0 });
      if (!user) throw new Error("There is nobody to look.");
      const params = certificateList.read(new URLSearchParams(query));
      for (let time = 0; time < 5; time += 1) await listCertificatesFor(user, params);
      const [times, own]: [number[], number[]] = [[], []];
      for (let time = 0; time < TIMES; time += 1)
        times.push(await timed(async () => own.push(await processorTime(() => listCertificatesFor(user, params)))));
      return { ms: median(times), own: median(own) };
    };
    const adminId = (await createAdmin()).id;
    const pages = ["", "sort=commonName.asc", "sort=certificateExpiryDate.desc", "page=5"];
    const ownerOfFew = await fillCertificates(FEW, { isRevoked: false });
    const few = [];
    for (const page of pages) few.push([await measure(ownerOfFew, page), await measure(adminId, page)] as const);
    await fillCertificates(MANY - FEW, { isRevoked: false });
    for (const [index, page] of pages.entries()) {
      const many = [await measure(ownerOfFew, page), await measure(adminId, page)] as const;
      for (const [who, name] of [`an owner's ${FEW}`, "everybody's"].entries()) {
        const [before, after] = [few[index]?.[who] ?? NONE, many[who] ?? NONE];
        report({
          name: `certificates of ${MANY}, ${dialect}, ${name}, '${page || "first"}'`,
          measured: after.ms,
          unit: "ms",
          comparedWith: { name: `of ${FEW}`, value: before.ms },
          must: { of: "difference", atMost: 20 },
          note: `processor time of the portal: ${round(before.own, 1)}, ${round(after.own, 1)} ms`,
        });
      }
    }
  });
