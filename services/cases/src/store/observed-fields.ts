import mongoose from 'mongoose';

const history = new mongoose.Schema(
  { date: String, status_code: String, status_code_es: String, status_code_pt: String },
  { _id: false, id: false },
);

/** The fields of an `Observed` (domain/observed.ts), shared by status updates and a case's latest one. */
export const observedFields = {
  kind: String,
  observation: Number,
  timestamp: Date,
  status_code: String,
  status_description: String,
  form_type: String,
  status_code_es: String,
  status_description_es: String,
  status_code_pt: String,
  status_description_pt: String,
  status_slug: String,
  category: String,
  submitted_date: Date,
  modified_date: Date,
  history: [history],
};
