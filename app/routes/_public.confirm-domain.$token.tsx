import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { DescriptionList } from "~/components/ui/description-list";
import { DonePanel } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { CHALLENGE_DAYS, isMailboxName } from "~/domain/companies/domains/challenge";
import { confirmByLink, type DomainLink, openDomainLink } from "~/domain/companies/domains/mailed-link.service.server";
import { clientOf } from "~/http/client.server";
import { readForm } from "~/http/forms.server";

/** Set for the loader that runs after the POST of a document. The confirmation has used up the link, and it would count as a dead one. */
const IS_CONFIRMED = "domainIsConfirmed";

/** Opening the link changes nothing, because mail scanners open links too. The button confirms. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  if (context[IS_CONFIRMED]) return json({ link: null });
  const link = await openDomainLink(params.token ?? "", clientOf(request));
  return json({ link }, { status: link ? 200 : 404 });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  await readForm(request);
  const confirmed = await confirmByLink(params.token ?? "", clientOf(request));
  if (confirmed) context[IS_CONFIRMED] = true;
  return json({ confirmed }, { status: confirmed ? 200 : 404 });
}

/** The confirmation has used up the link. Loading it again would count as a try with a wrong link. */
export const shouldRevalidate = ({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  !(actionResult as { confirmed?: unknown } | undefined)?.confirmed && defaultShouldRevalidate;

const kindOf = ({ domain }: DomainLink) => (isMailboxName(domain) ? "Mailbox" : "Domain");

/** The page behind the link that confirms a domain or mailbox of a company. */
export default function ConfirmDomain() {
  const { link } = useLoaderData<typeof loader>();
  const confirmed = useActionData<typeof action>()?.confirmed;
  if (confirmed)
    return (
      <div className="narrow">
        <DonePanel title={`${kindOf(confirmed)} confirmed`}>
          <p>
            Thank you. <bdi>{confirmed.domain}</bdi> is confirmed for <bdi>{confirmed.company}</bdi>.
          </p>
        </DonePanel>
      </div>
    );
  if (!link)
    return (
      <div className="narrow">
        <PageHeader title="This link cannot be used">
          {`It was used or replaced already, is older than ${CHALLENGE_DAYS} days, or is not complete.`}
        </PageHeader>
      </div>
    );
  return (
    <div className="narrow stack-l">
      <PageHeader title={`Does this ${kindOf(link).toLowerCase()} belong to the company?`}>
        The company wants to order certificates with this name. Confirm it only if it is theirs.
      </PageHeader>
      <DescriptionList
        items={[
          { term: "Company", detail: <bdi>{link.company}</bdi> },
          { term: kindOf(link), detail: <bdi>{link.domain}</bdi> },
        ]}
      />
      <Form method="post">
        <CsrfField />
        <ButtonRow>
          <SubmitButton>Confirm</SubmitButton>
        </ButtonRow>
      </Form>
      <p className="hint">If it is not, close this page. Nothing is confirmed then.</p>
    </div>
  );
}

export const meta = pageTitle("Confirm a domain");
