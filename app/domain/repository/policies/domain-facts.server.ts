import { isConfirmedHost } from "~/ca/names/domain-control.server";
import { listPublished } from "~/domain/codes/certificates/published.server";
import { endPublication, publishAtEntity } from "~/domain/codes/certificates/publishing.service.server";
import { checkControl } from "~/domain/companies/domains/check.server";
import { readClaim } from "~/domain/companies/domains/claim.server";
import { confirmDomain, requireNothingWider } from "~/domain/companies/domains/confirming.server";
import { endDomain } from "~/domain/companies/domains/domains.service.server";
import { confirmByLink } from "~/domain/companies/domains/mailed-link.service.server";
import { keepDomains } from "~/domain/companies/domains/nightly.service.server";
import { getConfig } from "~/lib/config.server";
import { isPortalError } from "~/lib/errors";
import { type Facts, keptBy } from "./fact";

/** Returns whether this domain cannot be confirmed. */
function refusesClaim(domain: string): boolean {
  try {
    readClaim(domain);
    return false;
  } catch (error) {
    return isPortalError(error);
  }
}

const whole = (name: string) => ({ name, isHostOnly: false });

/** What companies publish in the code register; what they confirm, and what orders make of it. */
export const domainFacts = (): Facts => ({
  "register.certificates": keptBy(publishAtEntity, listPublished),
  "register.certificates-ended": keptBy(endPublication),
  "domain.confirmed": keptBy(checkControl, confirmByLink),
  "domain.two-servers": () => getConfig().names.resolvers.length === 2,
  "domain.covers": () =>
    isConfirmedHost("a.b.example", [whole("b.example")]) && !isConfirmedHost("b.example", [whole("a.b.example")]),
  "domain.file-covers-host": () => !isConfirmedHost("a.b.example", [{ name: "b.example", isHostOnly: true }]),
  "domain.file-ends-nothing": keptBy(requireNothingWider),
  "domain.no-suffix": () => refusesClaim("co.uk") && refusesClaim("github.io"),
  "domain.changes-hands": keptBy(confirmDomain),
  "domain.checked-again": keptBy(keepDomains),
  "domain.ended-by-staff": keptBy(endDomain),
  "domain.marked": () => getConfig().names.domainControl === "mark",
  "domain.required": () => getConfig().names.domainControl === "require",
});
