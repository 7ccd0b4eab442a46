import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { SelectField } from "~/components/forms/select-field";
import { TextField } from "~/components/forms/text-field";
import { TextareaField } from "~/components/forms/textarea-field";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { addEvidence, getEvidenceForm } from "~/domain/certificates/queue/evidence.service.server";
import { COMMENT_LIMIT, REFERENCE_LIMIT } from "~/domain/certificates/queue/note-limit";
import { NOT_OPEN } from "~/domain/certificates/queue/order-decision.policy";
import { DECISION_ANCHOR } from "~/domain/certificates/queue/queue-fields";
import { queueList } from "~/domain/certificates/queue/queue-list";
import { orderInView } from "~/domain/certificates/queue/queue-list.service.server";
import { evidenceValidator } from "~/domain/certificates/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";

const FORM = "evidence";

const LABELS = { check: "For the check", text: "What was found", reference: "Document" } as const;

/** The page of the order, in the view of the queue from which it was opened. */
const orderOf = (request: Request, id: number): string =>
  orderInView(id, queueList.read(new URL(request.url).searchParams));

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "add-evidence");
  const id = readId(params.id);
  const order = orderOf(request, id);
  try {
    return json({ order, ...(await getEvidenceForm(user, id)) });
  } catch (error) {
    if (!isPortalError(error) || error.code !== NOT_OPEN) throw error;
    throw await redirectWithToast(request, order, { kind: "warn", text: error.message });
  }
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "add-evidence");
  const id = readId(params.id);
  const form = await evidenceValidator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await addEvidence(user, id, form.data);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const toast = { kind: "ok", text: "The evidence was added.", at: DECISION_ANCHOR } as const;
  return redirectWithToast(request, orderOf(request, id), toast);
}

/** Adds evidence to a check of an order without recording the check, for a colleague who records it later. */
export default function AddEvidence() {
  const { order, orderNumber, commonName, checks } = useLoaderData<typeof loader>();
  const given = checks.flatMap(({ title, evidence }) => evidence.map(({ id, line }) => ({ id, title, line })));
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
      <PageHeader title="Add evidence" back={{ to: order, label: `Order ${orderNumber}` }}>
        <p>
          For {commonName}. Staff read it below the check. It does not record the check, and nobody can change or delete
          it.
        </p>
      </PageHeader>
      <Card title="New evidence">
        <PortalForm id={FORM} validator={evidenceValidator} className="form">
          <SelectField
            name="check"
            label={LABELS.check}
            placeholder="Select a check"
            options={checks.map(({ name, title }) => ({ value: name, label: title }))}
          />
          <TextareaField
            name="text"
            label={LABELS.text}
            hint="What the register, the directory or the person says."
            limit={COMMENT_LIMIT}
            rows={4}
          />
          <TextField
            name="reference"
            label={LABELS.reference}
            hint="Its number or address."
            maxLength={REFERENCE_LIMIT}
            autoComplete="off"
            optional
          />
          <ButtonRow>
            <SubmitButton>Add evidence</SubmitButton>
            <LinkButton to={order} variant="quiet">
              Cancel
            </LinkButton>
          </ButtonRow>
        </PortalForm>
        <UnsavedChanges formId={FORM} />
      </Card>
      {given.length > 0 && (
        <Card title="Evidence so far">
          <ol className="log" role="list">
            {given.map(({ id, title, line }) => (
              <li key={id}>
                <strong>{title}</strong>
                <div className="lines">{line}</div>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </div>
  );
}

export const meta = pageTitle("Add evidence");
