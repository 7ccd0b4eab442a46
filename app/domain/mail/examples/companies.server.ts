import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { COMMON_NAME, type Examples, linkTo, TOKEN } from "./example.server";

/** Returns the example data of the messages about companies and their members. */
export const companyExamples = () => {
  const company = linkTo(paths.company);
  const otherOwner = {
    name: "Anna",
    company: "Example Parts Ltd",
    who: "Bernd Boss",
    clients: ["Store"],
    acmeKeys: ["Web server (standing authorisation 3)"],
    url: company,
  };
  return {
    invitationMail: [
      {
        kind: "company-invitation",
        title: "",
        data: {
          company: "Example Parts Ltd",
          inviter: "Anna Müller (anna.mueller@example-parts.com)",
          role: "Purchaser",
          validFor: "7 days",
          url: linkTo(rarePaths.invitation(TOKEN)),
        },
      },
    ],
    membershipMail: [
      {
        kind: "company-membership",
        title: "",
        data: {
          name: "Anna",
          company: "Example Parts Ltd",
          what: "Your role in Example Parts Ltd is now Purchaser",
          by: "Bernd Boss",
          action: { label: "Open your company", url: linkTo(paths.company) },
        },
      },
    ],
    pausedClientsMail: [
      {
        kind: "clients-paused",
        title: "a company",
        data: {
          name: "Anna",
          company: "Example Parts Ltd",
          who: "Bernd Boss",
          what: "is no longer a member of Example Parts Ltd",
          clients: ["Store", "Renewals"],
          url: linkTo(accountPaths.apiClients("company")),
        },
      },
      {
        kind: "clients-paused",
        title: "staff",
        data: {
          name: "Olga",
          company: null,
          who: "Ian Berg",
          what: "is no longer a user administrator",
          clients: ["Import"],
          url: linkTo(accountPaths.apiClients("staff")),
        },
      },
    ],
    acmeStoppedMail: [
      {
        kind: "acme-stopped",
        title: "",
        data: {
          name: "Anna",
          company: "Example Parts Ltd",
          who: "Bernd Boss",
          what: "is no longer a member of Example Parts Ltd",
          keys: ["Web server (standing authorisation 3)", "Mail gateway (standing authorisation 4)"],
          url: linkTo(accountPaths.standingAuthorisations),
        },
      },
    ],
    ownerDisabledMail: [{ kind: "owner-disabled", title: "", data: otherOwner }],
    ownerEnabledMail: [{ kind: "owner-enabled", title: "", data: otherOwner }],
    preparedRenewalMail: [
      {
        kind: "renewal-prepared",
        title: "",
        data: {
          name: "Anna",
          company: "Example Parts Ltd",
          commonName: COMMON_NAME,
          by: "Bernd Boss",
          url: linkTo(paths.certificateWizard("renew", "invoice-address", TOKEN)),
        },
      },
    ],
  } satisfies Partial<Examples>;
};
