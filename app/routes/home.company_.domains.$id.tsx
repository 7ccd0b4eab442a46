import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { DomainName } from "~/components/domains/domain-parts";
import { DOMAIN_LABELS, DomainWays, KeptProof } from "~/components/domains/domain-ways";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { type SessionUser } from "~/domain/accounts/session-user";
import { CHALLENGE_DAYS, DOMAIN_FORM } from "~/domain/companies/domains/challenge";
import {
  checkDomain,
  type CompanyDomainPage,
  getDomainFor,
  removeDomain,
  renewChallenge,
} from "~/domain/companies/domains/domains.service.server";
import { sendDomainMail } from "~/domain/companies/domains/mailed-link.service.server";
import { domainMailValidator } from "~/domain/companies/domains/validators";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { accountPaths } from "~/lib/account-paths";
import { formatDate } from "~/lib/dates";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const INTENTS = ["check-dns", "check-http", "mail", "renew", "remove"] as const;
type Intent = (typeof INTENTS)[number];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  const domain = await getDomainFor(user, readId(params.id));
  return json({ domain, company: user.company, mayChange: user.impersonator === null });
}

/** Checks the record or the file. Returns the message about the confirmation. */
async function check(user: SessionUser, asked: Parameters<typeof checkDomain>[1]): Promise<string> {
  const { id } = asked;
  await checkDomain(user, asked);
  const { name, validUntil } = await getDomainFor(user, id);
  return `${name} is confirmed until ${formatDate(validUntil ?? "")}.`;
}

/** Does what needs nothing typed. `isConfirmed` is the answer to the question, where there was one. Returns the message about it. */
const DEEDS: Record<
  Exclude<Intent, "mail">,
  (user: SessionUser, id: number, isConfirmed: boolean) => Promise<string>
> = {
  "check-dns": (user, id) => check(user, { id, method: "dns" }),
  "check-http": (user, id, isConfirmed) => check(user, { id, method: "http", isHostEnough: isConfirmed }),
  renew: async (user, id) => {
    await renewChallenge(user, id);
    const { challenge } = await getDomainFor(user, id);
    if (challenge.record === null) return "You can send a new link. Former ones cannot be used any more.";
    return challenge.kept === null
      ? "There are new values. The former ones cannot be used any more."
      : "There are new values. Leave the former ones there until the new ones have confirmed the domain.";
  },
  remove: async (user, id) => {
    await removeDomain(user, id);
    return "It was removed.";
  },
};

/** What is asked before it is done. */
interface Asked {
  asked?: { intent: "remove" | "check-http" };
}

const isWhole = ({ state, method }: CompanyDomainPage) => state === "Confirmed" && method !== "http";

/** Returns whether a deed takes something away: the domain, or what a confirmed domain covers below its host. */
const isAsked = (intent: Intent, domain: CompanyDomainPage): intent is NonNullable<Asked["asked"]>["intent"] =>
  intent === "remove" || (intent === "check-http" && isWhole(domain));

/** Returns the words of the question. */
function questionOf({ asked }: Asked, { name, isMailbox, state }: CompanyDomainPage, company: string) {
  if (asked?.intent === "check-http")
    return {
      title: "Confirm only the host",
      question: `Are you sure you wish to confirm ${name} by a file?`,
      confirmLabel: "Check the file now",
      variant: "primary" as const,
      details: <p>It is confirmed with everything below it until now. A file confirms the host {name} only.</p>,
    };
  return {
    title: isMailbox ? "Remove mailbox" : "Remove domain",
    question: `Are you sure you wish to remove ${name} from ${company}?`,
    confirmLabel: "Remove",
    details: state === "Confirmed" && <p>Its confirmation ends. Certificates that were issued stay valid.</p>,
  };
}

/** Checks, sends a link, replaces the values or removes the domain, by the button that was pressed. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  const id = readId(params.id);
  const sent = await readForm(request);
  const intent = intentOf<Intent>(sent, INTENTS);
  const domain = await getDomainFor(user, id);
  const isConfirmed = sent.get("confirmed") === "yes";
  if (isAsked(intent, domain) && !isConfirmed) return json<Asked>({ asked: { intent } });
  const { name } = domain;
  const form = intent === "mail" ? await domainMailValidator.validate(sent) : null;
  if (form?.error) return invalid(form.error, form.submittedData);
  const address = form?.data?.address ?? "";
  try {
    if (intent === "mail") await sendDomainMail(user, { id, address });
    const text =
      intent === "mail"
        ? `The link that confirms ${name} is on its way to ${address}.`
        : await DEEDS[intent](user, id, isConfirmed);
    const to = intent === "remove" ? paths.domains : accountPaths.domain(id);
    return await redirectWithToast(request, to, { kind: "ok", text });
  } catch (error) {
    return refused(error, Object.fromEntries(sent), DOMAIN_FORM);
  }
}

/** Returns what a confirmation of this name covers, in words. */
function kindOf({ isMailbox, method, state }: CompanyDomainPage): string {
  if (isMailbox) return "a mailbox";
  return method === "http" && state === "Confirmed"
    ? "a host, without anything below it"
    : "a domain, with everything below it";
}

const factsOf = (domain: CompanyDomainPage) => [
  { term: "State", detail: <StatusBadge status={domain.state} /> },
  { term: "Confirmed by", detail: domain.confirmedBy },
  { term: "Confirmed", detail: domain.confirmedAt && <Time value={domain.confirmedAt} withTime /> },
  { term: "Until", detail: domain.validUntil && <Time value={domain.validUntil} withTime /> },
  { term: "Last check", detail: domain.challenge.checkedAt && <Time value={domain.challenge.checkedAt} withTime /> },
  { term: "Remark", detail: domain.remark },
  { term: "Failed nights in a row", detail: domain.failedNights > 0 && domain.failedNights },
];

/** Says why there are no ways to confirm it now, with the button for new values. */
const NewValues = ({ isMet }: { isMet: boolean }) => (
  <Card title={isMet ? "Confirm it for another year" : "Confirm it"}>
    <p>
      {isMet
        ? "Ask for new values to confirm it for another year. The confirmation stays until its end meanwhile."
        : `The values are older than ${CHALLENGE_DAYS} days. Ask for new ones.`}
    </p>
    <Form method="post">
      <CsrfField />
      <SubmitButton intent="renew" variant="secondary">
        Ask for new values
      </SubmitButton>
    </Form>
  </Card>
);

/** A domain or mailbox of the company, with the ways to confirm it. */
export default function Domain() {
  const { domain, company, mayChange } = useLoaderData<typeof loader>();
  const { asked } = useActionData<Asked>() ?? {};
  const { challenge } = domain;
  const isOpen = challenge.isOpen && !challenge.isMet;
  return (
    <ConfirmStep asked={asked} {...questionOf({ asked }, domain, company)} cancelTo={accountPaths.domain(domain.id)}>
      <div className="stack-l">
        <ErrorSummary formId={DOMAIN_FORM} labels={DOMAIN_LABELS} />
        <PageHeader title={<DomainName {...domain} />} back={{ to: paths.domains, label: "Domains" }}>
          <p>
            <bdi>{company}</bdi>: {kindOf(domain)}.
          </p>
        </PageHeader>
        {mayChange && challenge.kept && <KeptProof {...challenge.kept} />}
        {mayChange && (isOpen ? <DomainWays challenge={challenge} /> : <NewValues isMet={challenge.isMet} />)}
        <Card title={domain.isMailbox ? "The mailbox" : "The domain"}>
          <DescriptionList hideEmpty items={factsOf(domain)} />
        </Card>
        {mayChange && (
          <Form method="post">
            <CsrfField />
            <ButtonRow>
              <SubmitButton intent="remove" variant="caution">
                Remove
              </SubmitButton>
            </ButtonRow>
          </Form>
        )}
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.domain.name ?? "Domain");
