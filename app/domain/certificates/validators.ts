import { lazyValidator } from "~/lib/lazy-validator";
import { type ContactRules } from "./purchase/contact.policy";

export const rowChoiceValidator = lazyValidator(() =>
  import("./catalogue/list.schema").then(({ rowChoiceSchema }) => rowChoiceSchema),
);
export const revocationValidator = lazyValidator(() =>
  import("./revocation/revocation.schema").then(({ revocationSchema }) => revocationSchema),
);
export const cancellationValidator = lazyValidator(() =>
  import("./queue/queue.schema").then(({ cancellationSchema }) => cancellationSchema),
);
export const certificateNotesValidator = lazyValidator(() =>
  import("./catalogue/notes.schema").then(({ certificateNotesSchema }) => certificateNotesSchema),
);
export const addPartnersValidator = lazyValidator(() =>
  import("./partners/partners.schema").then(({ addPartnersSchema }) => addPartnersSchema),
);
export const publishValidator = lazyValidator(() =>
  import("./partners/partners.schema").then(({ publishSchema }) => publishSchema),
);
export const copyPartnersValidator = lazyValidator(() =>
  import("./partners/partners.schema").then(({ copyPartnersSchema }) => copyPartnersSchema),
);
export const followValidator = lazyValidator(() =>
  import("./partners/partners.schema").then(({ followSchema }) => followSchema),
);
export const partnerAnswerValidator = lazyValidator(() =>
  import("./partners/partners.schema").then(({ partnerAnswerSchema }) => partnerAnswerSchema),
);
export const reissueValidator = lazyValidator(() =>
  import("./succession/reissue.schema").then(({ reissueSchema }) => reissueSchema),
);
export const bulkRenewalValidator = (rules: ContactRules) =>
  lazyValidator(() =>
    import("./succession/bulk-renewal.schema").then(({ bulkRenewalSchema }) => bulkRenewalSchema(rules)),
  );
export const preflightValidator = lazyValidator(() =>
  import("./purchase/order-form.schema").then(({ preflightSchema }) => preflightSchema),
);
export const orderCommentValidator = lazyValidator(() =>
  import("./queue/queue.schema").then(({ orderCommentSchema }) => orderCommentSchema),
);
export const evidenceValidator = lazyValidator(() =>
  import("./queue/evidence.schema").then(({ evidenceFormSchema }) => evidenceFormSchema),
);
export const queueValidator = lazyValidator(() =>
  import("./queue/queue.schema").then(({ queueSchema }) => queueSchema),
);
export const keyProofValidator = lazyValidator(() =>
  import("./revocation/key-proof/key-proof.schema").then(({ keyProofSchema }) => keyProofSchema),
);
