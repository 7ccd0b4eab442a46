export const FORM = "invite-member";

export const LABELS = { email: "Email", role: "Role" } as const;
