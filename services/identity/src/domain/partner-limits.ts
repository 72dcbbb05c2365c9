/** What every partner may use at most, as its profile shows it (interface.md §1, §4). */
export const partnerLimits = {
  requests_per_minute: 600,
  webhooks: 20,
  active_cases_per_user: 50,
};
