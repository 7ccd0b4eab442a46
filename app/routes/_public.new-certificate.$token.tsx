import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PartnerAnswerForm, PartnerCertificate } from "~/components/certificates/partner-page";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { DonePanel } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { answerAsPartner, openPartnerPage } from "~/domain/certificates/partners/partner-page.service.server";
import { ANSWER_FORM, type PartnerReply } from "~/domain/certificates/partners/partners-fields";
import { partnerAnswerValidator as validator } from "~/domain/certificates/validators";
import { clientOf } from "~/http/client.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { invalid, refused } from "~/http/responses.server";
import styles from "~/styles/certificate.css";

export const links = () => [{ rel: "stylesheet", href: styles }];

/** Opening the link is noted and answers nothing, because programs that check messages open links, too. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const page = await openPartnerPage(params.token ?? "", clientOf(request));
  return json({ page }, { status: page ? 200 : 404 });
}

/** Stores what the partner answers. A later answer takes the place of an earlier one. */
export async function action({ request, params }: ActionFunctionArgs) {
  const submitted = await readForm(request);
  const answer = intentOf<PartnerReply>(submitted, ["question", "imported", "not-ours", "stopped"]);
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const given = { answer, question: form.data.question };
    const isStored = await answerAsPartner(params.token ?? "", given, clientOf(request));
    return json({ answered: isStored ? answer : null }, { status: isStored ? 200 : 404 });
  } catch (error) {
    return refused(error, form.submittedData, ANSWER_FORM);
  }
}

const DONE: Record<PartnerReply, { title: string; text: string }> = {
  imported: { title: "Import confirmed", text: "Thank you. The company sees that you have imported the certificate." },
  question: { title: "Question sent", text: "The company gets your question and answers you directly." },
  "not-ours": { title: "Answer sent", text: "Thank you. The company sees that the certificate is not for you." },
  stopped: {
    title: "Nothing more is sent",
    text: "We send no more messages to you on behalf of customers. If this was a mistake, please contact us.",
  },
};

/** The page of a partner about the certificate of a company: the files, what has changed, and the answer. It needs no account. */
export default function NewCertificate() {
  const { page } = useLoaderData<typeof loader>();
  const answered = useActionData<{ answered?: PartnerReply | null }>()?.answered;
  if (!page)
    return (
      <div className="narrow">
        <PageHeader title="This link cannot be used">
          The certificate has ended or cannot be used any more, you are no partner of it any more, or the link is not
          complete. Please ask the company that sent it to you.
        </PageHeader>
      </div>
    );
  return (
    <div className="stack-l">
      <ErrorSummary formId={ANSWER_FORM} labels={{ question: "Question" }} />
      {answered ? (
        <DonePanel title={DONE[answered].title}>
          <p>{DONE[answered].text}</p>
        </DonePanel>
      ) : (
        <PageHeader title={`New certificate for ${page.commonName}`}>
          <p>
            <bdi>{page.company}</bdi> exchanges files with you and has this certificate. Import it
            {page.previous && " beside the previous one"}, then confirm it below.
          </p>
        </PageHeader>
      )}
      <PartnerCertificate page={page} />
      <PartnerAnswerForm answer={page.answer} />
    </div>
  );
}

export const meta = pageTitle("New certificate of a partner");
