import { shownName } from "~/ca/names/international.server";
import { isMailboxName } from "~/domain/companies/domains/challenge";
import { formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { listConfirmedNames } from "~db/repositories/company-domains.server";
import { USAGE_FLAGS, USAGE_LABELS } from "../purchase/fields";
import { detailsToPrepare } from "../purchase/make-csr.server";
import { namesOfOrder } from "../request/certified-names.server";
import { captionedNames } from "../request/subject-names.server";
import { correctionsLeft } from "./correctable.server";
import { withoutSsid } from "./correction-csr.server";
import { SUPERSEDED_AFTER_DAYS } from "./correction.policy";
import { type Preceding } from "./original.server";

/** Says below which domains a corrected host can be. */
function domainsText(names: readonly { name: string; isHostOnly: boolean }[]): string {
  const domains = names
    .filter(({ name }) => !isMailboxName(name))
    .map(({ name, isHostOnly }) => shownName(name) + (isHostOnly ? " (this host only)" : ""));
  return domains.length === 0
    ? "Your company has confirmed no domain yet: without one, only the usage can be corrected."
    : `Your company has confirmed ${domains.join(", ")}. A corrected host must be one of these names, or below one.`;
}

/** Returns what the page shows on which a customer corrects a certificate: its texts, and the certificate as it is. */
export async function correctionView(preceding: Preceding, now = new Date()) {
  const { row } = preceding;
  const { until, times } = await correctionsLeft(getDb(), row);
  const confirmed = await listConfirmedNames(getDb(), [row.companyId], now);
  const { id, commonName, organisation, locality, country, ssid } = row;
  const usage = USAGE_FLAGS.filter((flag) => row[flag]);
  return {
    id,
    title: "Correct certificate",
    question: `Do you want to order this correction of certificate ${id}, free of charge? The contact and our staff check it like every order. Certificate ${id} is revoked when the new one is downloaded, at the latest ${SUPERSEDED_AFTER_DAYS} days after its issue.`,
    paragraphs: [
      `Certificate ${id} for ${commonName} is ordered again, with another host or usage, free of charge. The new one ends on the same day, ${formatDate(row.expiryDate)}. Organisation, place, country and OFTP ID stay the same. ${until ? `Until ${formatDate(until.toISOString())}, it` : "It"} can be corrected ${times === 1 ? "once more" : `${times} more times`}.`,
      "The new certificate needs a new key. Create it and a CSR with the corrected host; for another usage only, with the same host.",
      `The order passes the checks of every order: the contact authorises it, and staff check the CSR. Once you have downloaded the new certificate, at the latest ${SUPERSEDED_AFTER_DAYS} days after its issue, certificate ${id} is revoked as superseded.`,
    ],
    facts: [
      { term: "Common name", detail: commonName },
      ...captionedNames(withoutSsid(namesOfOrder(row))).map(({ caption, values }) => ({
        term: caption,
        detail: values.join(", "),
      })),
      { term: "Usage", detail: usage.map((flag) => USAGE_LABELS[flag]).join(", ") },
      { term: "Organisation, place, country", detail: [organisation, locality, country].filter(Boolean).join(", ") },
      { term: "OFTP ID", detail: ssid ?? "" },
    ],
    domains: domainsText(confirmed),
    /** The ticked boxes, by name. */
    usage: Object.fromEntries(usage.map((flag) => [flag, "on"])),
    usages: USAGE_FLAGS.map((name) => ({ name, label: USAGE_LABELS[name] })),
    prepareUrl: paths.prepareCsr(detailsToPrepare(preceding)),
  };
}
