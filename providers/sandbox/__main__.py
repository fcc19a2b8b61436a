from providers.sandbox.demo import main

raise SystemExit(main())
