/** Path by which a block of accounts is checked with one request; only a pool in this process answers it. */
export const offlineAccounts = "/offline/accounts";
