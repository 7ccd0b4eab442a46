import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { type Examples, linkTo, TOKEN } from "./example.server";

/** Returns the example data of the messages about domains, mailboxes and webhooks of companies. */
export const domainExamples = () => {
  const about = {
    name: "Anna",
    company: "Example Parts Ltd",
    domain: "example-parts.com",
    url: linkTo(paths.domains),
  };
  return {
    domainChallengeMail: [
      {
        kind: "domain-challenge",
        title: "",
        data: {
          company: about.company,
          domain: about.domain,
          by: "Anna Müller (anna.mueller@example-parts.com)",
          validFor: "30 days",
          url: linkTo(accountPaths.confirmDomain(TOKEN)),
        },
      },
    ],
    domainMovedMail: [{ kind: "domain-moved", title: "", data: about }],
    domainFailingMail: [
      {
        kind: "domain-failing",
        title: "",
        data: {
          ...about,
          problem: "There is no TXT record at _marque-challenge.example-parts.com.",
          nights: 3,
        },
      },
    ],
    domainEndedMail: [
      { kind: "domain-ended", title: "", data: { ...about, why: "Another company has confirmed it since." } },
    ],
    webhookPausedMail: [
      {
        kind: "webhook-paused",
        title: "",
        data: {
          name: about.name,
          company: about.company,
          host: "hooks.example-parts.com",
          why: "Nothing could be delivered for three days.",
          url: linkTo(accountPaths.webhook(7)),
        },
      },
    ],
    domainReminderMail: [
      { kind: "domain-reminder", title: "", data: { ...about, validUntil: "2027-12-01T00:00:00.000Z", daysLeft: 30 } },
    ],
  } satisfies Partial<Examples>;
};
