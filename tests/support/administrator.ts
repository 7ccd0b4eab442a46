/** The administrator of every portal that starts from a prepared data folder. */
export const ADMIN = { email: "admin@example.org", password: "an administrator's password" };
