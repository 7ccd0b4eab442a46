import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { TextareaField } from "~/components/forms/textarea-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { END_DOMAIN_FORM, END_REASON_LIMIT } from "~/domain/companies/domains/challenge";
import { endDomain, getDomainToEnd } from "~/domain/companies/domains/domains.service.server";
import { endDomainValidator as validator } from "~/domain/companies/domains/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const LABELS = { reason: "Reason" } as const;

const idsIn = ({ id, domainId }: LoaderFunctionArgs["params"]) => [readId(id), readId(domainId)] as const;

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireUser(request, "end-domains");
  const [companyId, id] = idsIn(params);
  return json({ domain: await getDomainToEnd(companyId, id), companyId });
}

/** Ends the confirmation. The owners of the company get the reason. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "end-domains");
  const [companyId, id] = idsIn(params);
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const name = await endDomain(user, { companyId, id, reason: form.data.reason });
    const text = `The confirmation of ${name} has ended.`;
    return await redirectWithToast(request, paths.companyPage(companyId), { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, END_DOMAIN_FORM);
  }
}

/** Asks staff for the reason before the confirmation of a company's domain ends. */
export default function EndDomain() {
  const { domain, companyId } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={END_DOMAIN_FORM} labels={LABELS} />
      <PageHeader
        title={`End the confirmation of ${domain.name}`}
        back={{ to: paths.companyPage(companyId), label: "Back to the company" }}
      >
        The owners of the company get a message with the reason. They can confirm it again.
      </PageHeader>
      <DescriptionList
        items={[
          { term: "Company", detail: <bdi>{domain.company}</bdi> },
          { term: "Confirmed by", detail: domain.confirmedBy },
          { term: "Confirmed", detail: <Time value={domain.confirmedAt} withTime /> },
          { term: "Until", detail: <Time value={domain.validUntil} withTime /> },
        ]}
      />
      <PortalForm id={END_DOMAIN_FORM} validator={validator}>
        <TextareaField name="reason" label={LABELS.reason} limit={END_REASON_LIMIT} rows={3} required />
        <ButtonRow>
          <SubmitButton variant="danger" busyText="Ending…">
            End the confirmation
          </SubmitButton>
          <LinkButton to={paths.companyPage(companyId)}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data ? `End the confirmation of ${data.domain.name}` : "Domain",
);
